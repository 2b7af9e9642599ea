#include "cli/run.h"

#include "cli/command.h"
#include "cli/output.h"
#include "cli/version.h"
#include "cli/words.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <csignal>

namespace forewarp::cli {
namespace {

constexpr const char* footer =
    "Exit codes: 0 done, 2 usage, 3 not found, 4 bad input file, 5 compile error, 6 launch error,\n"
    "7 unsupported or not valid, 8 fault of the kernel, 9 budget, 70 internal error.";

/// The innermost command that was named.
const CLI::App* innermost(const CLI::App& root) {
  const CLI::App* at = &root;
  while (!at->get_subcommands().empty())
    at = at->get_subcommands().back();
  return at;
}

/// The parser's words for a single value that is missing or there more than once, in ours.
std::string reworded(const std::string& message) {
  constexpr std::string_view twice = ": At Most 1 required but received ", missing = ": 1 required ";
  if (const std::size_t at = message.find(twice); at != std::string::npos)
    return message.substr(0, at) + " is given " + message.substr(at + twice.size()) +
           " times; one is the most";
  if (const std::size_t at = message.find(missing); at != std::string::npos && message.ends_with(" missing"))
    return message.substr(0, at) + " needs a value";
  return message;
}

Error parser_error(const CLI::ParseError& error) {
  std::string message = reworded(error.what());
  if (message.size() > 1 && std::islower(static_cast<unsigned char>(message[1])) != 0)
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return {ErrorCode::usage, message, "", "--help shows how each option is written"};
}

Result<void> run_chosen(const CLI::App& root, const Actions& actions) {
  for (const CLI::App* at = &root; at != nullptr;
       at = at->get_subcommands().empty() ? nullptr : at->get_subcommands().back())
    if (const auto remaining = at->remaining(); !remaining.empty())
      return tl::unexpected<Error>(unknown_word(*at, remaining));
  const CLI::App* chosen = innermost(root);
  const auto action = std::find_if(actions.begin(), actions.end(),
                                   [&](const Action& candidate) { return candidate.app == chosen; });
  if (action == actions.end())
    return fail(ErrorCode::usage, "no command was given", "", "`forewarp --help` lists the commands");
  return action->run();
}

/// Parses and runs; help and version are answers, not errors.
Result<void> parse_and_run(CLI::App& root, const Actions& actions, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end()); // CLI11 takes the words last first
  try {
    root.parse(words);
  } catch (const CLI::CallForVersion& version) {
    return write_output(std::string(version.what()) + "\n");
  } catch (const CLI::CallForHelp&) {
    return write_output(root.help());
  } catch (const CLI::CallForAllHelp&) {
    return write_output(root.help("", CLI::AppFormatMode::All));
  } catch (const CLI::ParseError& error) {
    return tl::unexpected<Error>(parser_error(error));
  }
  return run_chosen(root, actions);
}

} // namespace

int run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error, so that what is open gets closed first
  CLI::App root("Predicts how long a GPU kernel takes, and why, on a GPU that is not there.", "forewarp");
  root.set_version_flag("--version", std::string("forewarp ") + version);
  root.footer(footer);
  root.allow_extras();
  root.require_subcommand(0, 1);
  root.get_formatter()->column_width(34);
  Actions actions;
  for (const AddCommand add : commands())
    add(root, actions);
  const Result<void> result = parse_and_run(root, actions, normal_words(argc, argv));
  if (result)
    return 0;
  if (is_closed_pipe(result.error())) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  if (!result.error().message.empty()) // empty: another process of the same job says it
    print_error(result.error());
  return exit_code(result.error().code);
}

} // namespace forewarp::cli
