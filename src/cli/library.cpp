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

Result<std::shared_ptr<const gpu::Catalogue>> KeptCatalogue::names_of_today() {
  const auto folder = gpu::default_gpu_folder();
  FOREWARP_TRY(folder);
  std::error_code error;
  const auto changed = std::filesystem::last_write_time(*folder, error);
  const std::lock_guard lock(mutex_);
  if (catalogue_ && !error && folder_ == *folder && changed_ == changed)
    return catalogue_;
  auto opened = gpu::Catalogue::open(*folder);
  FOREWARP_TRY(opened);
  folder_ = *folder;
  changed_ = changed;
  catalogue_ = std::make_shared<const gpu::Catalogue>(*std::move(opened));
  return catalogue_;
}

Result<std::vector<gpu::GpuChoice>> KeptCatalogue::choose(const std::vector<std::string>& names) {
  const auto catalogue = names_of_today();
  FOREWARP_TRY(catalogue);
  auto choices = choose_gpus(names, **catalogue);
  return choices ? std::move(choices) : choose_gpus(names);
}

Result<report::Predictions> predict_words(const std::vector<std::string>& words, KeptCatalogue& catalogue) {
  CLI::App app;
  PredictWords parsed;
  add_predict_options(app, parsed);
  FOREWARP_TRY(parse(app, words));
  auto request = make_request(parsed);
  FOREWARP_TRY(request);
  auto gpus = catalogue.choose(parsed.gpus);
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

Result<gpu::Machine> machine_named(const std::string& name, KeptCatalogue& catalogue) {
  auto gpus = catalogue.choose({name});
  FOREWARP_TRY(gpus);
  return gpu::resolve(gpus->front().file);
}

} // namespace forewarp::cli
