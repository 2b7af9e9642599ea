// forewarp triton, forewarp numba: a Python script with such kernels, unchanged, on GPUs that are not there
// (forewarp.triton, forewarp.numba).
#include "cli/commands/commands.h"
#include "program/spawn.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <poll.h>

namespace forewarp::cli {
namespace {

struct Kind {
  const char *command, *kernels; ///< the command is the name of a module of the Python package
  const char* extra;             ///< what else a script gets
};

constexpr Kind triton = {"triton", "Triton", ", autotuning"};
constexpr Kind numba = {"numba", "Numba", ""};

struct ScriptWords {
  std::vector<std::string> gpus, script;
  std::string cache, python = "python3";
};

/// The Python package beside this program, where it was built there; an installed one is found by Python
/// itself.
program::Environment python_path() {
  std::error_code none;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto folder = own.parent_path().parent_path() / "python";
  if (none || !std::filesystem::exists(folder / "forewarp" / "__init__.py", none))
    return {};
  const char* before = std::getenv("PYTHONPATH");
  return {fmt::format("PYTHONPATH={}{}", folder.string(), before ? fmt::format(":{}", before) : "")};
}

Result<void> run(const Kind& kind, const ScriptWords& words) {
  const std::string example = fmt::format("for example: forewarp {} --gpu h100,a100 script.py", kind.command);
  if (words.gpus.empty())
    return fail(ErrorCode::usage, "no GPU is named", "--gpu", example);
  if (words.script.empty())
    return fail(ErrorCode::usage, "no script is given", fmt::format("forewarp {}", kind.command), example);
  std::vector<std::string> line = {words.python, "-m", fmt::format("forewarp.{}", kind.command), "--gpu",
                                   fmt::format("{}", fmt::join(words.gpus, ","))};
  if (!words.cache.empty())
    line.insert(line.end(), {"--cache", words.cache});
  line.insert(line.end(), words.script.begin(), words.script.end());
  auto child = program::Child::start(line, python_path());
  FOREWARP_TRY(child);
  pollfd ended = {child->ended(), POLLIN, 0};
  while (::poll(&ended, 1, -1) < 0)
    continue;
  const program::Child::End end = child->wait();
  if (end.exit_code == 0)
    return {};
  return fail(ErrorCode::unsupported,
              end.exit_code ? fmt::format("Python ended with exit code {}", *end.exit_code)
                            : fmt::format("Python ended with signal {}", end.signal),
              words.script.front(), "what it says of it stands above");
}

void add(CLI::App& root, Actions& actions, const Kind& kind) {
  const auto words = std::make_shared<ScriptWords>();
  CLI::App* app = root.add_subcommand(
      kind.command,
      fmt::format("Runs a Python script with {} kernels as on GPUs that are not there: launches, times{}",
                  kind.kernels, kind.extra));
  app->add_option("-g,--gpu", words->gpus, "GPUs, by name; the script is run once for each")
      ->delimiter(',')
      ->allow_extra_args(false);
  app->add_option("--cache", words->cache, "L2 before each kernel: cold, warm or dirty");
  app->add_option("--python", words->python,
                  fmt::format("the Python that has {}; python3 where it is not given", kind.kernels));
  app->add_option("script", words->script,
                  "the script; its own words follow, behind -- where they begin with a dash");
  app->footer(fmt::format(
      "Example:\n  forewarp {0} --gpu h100,a100 script.py -- --size 4096\nGuide: docs/guide/{0}.md",
      kind.command));
  actions.push_back({app, [words, &kind] { return run(kind, *words); }});
}

} // namespace

void add_triton(CLI::App& root, Actions& actions) {
  add(root, actions, triton);
}
void add_numba(CLI::App& root, Actions& actions) {
  add(root, actions, numba);
}

} // namespace forewarp::cli
