#include "cli/words.h"

#include "support/suggest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace forewarp::cli {
namespace {

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

std::string help_hint(const CLI::App& app) {
  std::string names;
  for (const CLI::App* at = &app; at != nullptr; at = at->get_parent())
    names = at->get_name() + (names.empty() ? "" : " " + names);
  return fmt::format("`{} --help` lists what it takes", names);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string& name : option->get_snames())
      names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

/// A compiler's own option, as people are used to write it.
bool is_compiler_option(const std::string& word) {
  for (const char* prefix : {"-cl-", "-f", "-m", "-use", "--use", "-O", "-W"})
    if (word.starts_with(prefix))
      return true;
  return false;
}

} // namespace

std::vector<std::string> normal_words(int argc, char** argv) {
  std::vector<std::string> words;
  bool for_program = false; // after --, in `forewarp port` and `forewarp run`: the program's own words
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (for_program) {
      words.push_back("--run-arg=" + word);
      continue;
    }
    if (word == "--" && !words.empty() && (words.front() == "port" || words.front() == "run")) {
      for_program = true;
      continue;
    }
    if (word.starts_with("-std="))
      word = "-" + word;
    else if (word.starts_with("-cl-std="))
      word = "--std=" + word.substr(8);
    else if (word == "--option" && i + 1 < argc)
      word += fmt::format("={}", argv[++i]);
    words.push_back(std::move(word));
  }
  return words;
}

Error unknown_word(const CLI::App& app, const std::vector<std::string>& remaining) {
  const auto option = std::find_if(remaining.begin(), remaining.end(), is_option);
  const bool found_option = option != remaining.end();
  const std::string word = found_option ? option->substr(0, option->find('=')) : remaining.front();
  const std::vector<std::string> commands = command_names(app);
  const auto nearest = nearest_names(word, found_option ? option_names(app) : commands, 1);
  const char* kind = found_option ? "option" : commands.empty() ? "word" : "command";
  std::string hint = help_hint(app);
  if (!nearest.empty())
    hint = fmt::format("did you mean '{}'? {}", nearest.front(), hint);
  else if (found_option && is_compiler_option(word))
    hint = fmt::format("options of the compiler go through: --option={}", *option);
  return {ErrorCode::usage, fmt::format("unknown {} '{}'", kind, word), "", hint};
}

} // namespace forewarp::cli
