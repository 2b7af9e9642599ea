#include "cli/library.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace forewarp::cli {
namespace {

/// CLI11 takes the words last first, and throws.
Result<void> parse(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::usage, error.what(), "",
                "the arguments are named like the options of the command");
  }
  return {};
}

} // namespace

Result<report::Predictions> predict_words(const std::vector<std::string>& words) {
  CLI::App app;
  PredictWords parsed;
  add_predict_options(app, parsed);
  FOREWARP_TRY(parse(app, words));
  auto request = make_request(parsed);
  FOREWARP_TRY(request);
  auto gpus = choose_gpus(parsed.gpus);
  FOREWARP_TRY(gpus);
  request->gpus = *std::move(gpus);
  return engine::predict(*request);
}

Result<ExploredWords> explore_words(const std::vector<std::string>& words) {
  CLI::App app;
  ExploreWords parsed;
  add_explore_options(app, parsed);
  FOREWARP_TRY(parse(app, words));
  auto request = make_explore_request(parsed);
  FOREWARP_TRY(request);
  auto explored = run_explore(*request);
  FOREWARP_TRY(explored);
  if (!*explored)
    return fail(ErrorCode::unsupported, "this process of an MPI job has no results", "",
                "call it from a process that no MPI launcher started");
  return ExploredWords{*std::move(request), *std::move(*explored)};
}

Result<gpu::Machine> machine_named(const std::string& name) {
  auto gpus = choose_gpus({name});
  FOREWARP_TRY(gpus);
  return gpu::resolve(gpus->front().file);
}

} // namespace forewarp::cli
