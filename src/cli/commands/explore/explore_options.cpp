#include "cli/commands/explore/explore_options.h"

#include "cli/version.h"
#include "explore/space/read_tuner.h"
#include "launch/launch_template.h"
#include "launch/variants.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

bool is_store_name(const std::string& path) {
  return path.ends_with(".sqlite") || path.ends_with(".db");
}

Result<explore::Setup> make_setup(const ExploreWords& words) {
  explore::Setup setup;
  PredictWords request = words.request;
  explore::SpaceSpec& space = setup.space;
  space.parameters = words.spaces;
  space.where = words.where;
  if (!words.space_file.empty()) {
    auto file = explore::read_tuner_file(words.space_file);
    FOREWARP_TRY(file);
    if (request.kernel.empty())
      request.kernel = file->kernel;
    const auto conventions = explore::tuner_conventions(*file, words.spaces);
    space.parameters.insert(space.parameters.end(), conventions.begin(), conventions.end());
    space.table = std::make_shared<explore::Table>(std::move(file->table));
  }
  auto base = make_request(request);
  FOREWARP_TRY(base);
  setup.base = *std::move(base);
  auto gpus = choose_gpus(request.gpus);
  FOREWARP_TRY(gpus);
  setup.base.gpus = *std::move(gpus);
  if (!request.launch_file.empty()) {
    auto values = launch::launch_file_values(request.launch_file);
    FOREWARP_TRY(values);
    setup.launch_values = *std::move(values);
    setup.launch_file = launch::split_variant(request.launch_file).first;
    auto file = launch::LaunchTemplate::open(request.launch_file);
    FOREWARP_TRY(file);
    setup.base_of = [request, file = *file](
                        const std::map<std::string, double>& others) -> Result<engine::PredictRequest> {
      auto filled = file.with(others);
      FOREWARP_TRY(filled);
      return make_request(request, *std::move(filled));
    };
  }
  return explore::complete(std::move(setup));
}

Result<void> check(const ExploreWords& words, const explore::Format& format, std::size_t gpus) {
  if (format.one_gpu && gpus > 1)
    return fail(ErrorCode::usage, fmt::format("a file of format '{}' holds one GPU", format.name), "--gpu",
                "name one GPU; a sweep of several can be written with --format csv or json");
  for (const auto& [value, option] : {std::pair{words.summary.confidence.sure, "--sure"},
                                      std::pair{words.summary.confidence.within, "--within"},
                                      std::pair{words.summary.common_error, "--common-error"}})
    if (!(value >= 0 && value < 1))
      return fail(ErrorCode::usage, fmt::format("{} is no share", value), option, "from 0 to below 1");
  return {};
}

void add_space(CLI::App& app, ExploreWords& w) {
  const char* group = "Space (docs/guide/explore.md)";
  app.add_option("--space", w.spaces,
                 "NAME=VALUES: a,b,c, lo:hi:+step, lo:hi:xfactor, or an expression of others (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--where", w.where, "Expression that a configuration has to satisfy (repeatable)")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option("--space-file", w.space_file, "Configurations of a Kernel Tuner cache, T4 file or KTT CSV")
      ->group(group);
  app.add_option("--sample", w.sweep.sample, "That many configurations at random")->group(group);
  app.add_option("--seed", w.sweep.seed, "Seed of the sample (default 1)")->group(group);
  app.add_option("--prefilter", w.prefilter,
                 "Predict only so many configurations, those that formulas of one size find fastest")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40))
      ->group(group);
}

void add_answer(CLI::App& app, ExploreWords& w) {
  const char* group = "Answer";
  app.add_option("--objective", w.objective,
                 "What best means: time (default), dram_bytes, gflops, occupancy, registers, shared_bytes")
      ->group(group);
  app.add_option("--top", w.summary.top, "Length of the lists (default 10)")->group(group);
  app.add_option("--sure", w.summary.confidence.sure, "Probability behind 'measure these' (default 0.95)")
      ->group(group);
  app.add_option("--within", w.summary.confidence.within,
                 "What counts as good: this near the best (default 0.05)")
      ->group(group);
  app.add_option("--common-error", w.summary.common_error,
                 "Share of the error's variance that all configurations have alike (default 0)")
      ->group(group);
  app.add_option("--format", w.request.format, "text (default), json, csv, kernel-tuner, t4 or ktt-csv")
      ->group(group);
  app.add_option("-o,--output", w.request.output,
                 "File for the answer instead of standard output; a .sqlite file is the store")
      ->group(group);
  app.add_option("--store", w.store, "SQLite file for the results; what it holds is not computed again")
      ->group(group);
  app.add_option("--plots", w.plots, "Folder for plots (SVG): times along the sorted space, effects")
      ->group(group);
  app.add_option("-j,--jobs", w.sweep.jobs, "Threads (default: one a core)")->group(group);
}

} // namespace

void add_explore_options(CLI::App& app, ExploreWords& words) {
  add_request_options(app, words.request);
  add_space(app, words);
  add_answer(app, words);
}

Result<ExploreRequest> make_explore_request(const ExploreWords& words) {
  const auto format = explore::find_format(words.request.format);
  FOREWARP_TRY(format);
  const auto objective = explore::find_objective(words.objective);
  FOREWARP_TRY(objective);
  auto setup = make_setup(words);
  FOREWARP_TRY(setup);
  FOREWARP_TRY(check(words, **format, setup->base.gpus.size()));
  ExploreRequest request{*std::move(setup), words.sweep, words.summary, *format, words.request.output};
  request.summary.objective = *objective;
  request.sweep.version = version;
  request.sweep.store = words.store;
  if (is_store_name(request.output))
    request.sweep.store = std::exchange(request.output, "");
  return request;
}

Result<std::optional<Explored>> run_explore(const ExploreRequest& request) {
  auto store = explore::sweep(request.setup, request.sweep);
  FOREWARP_TRY(store);
  if (!*store)
    return std::optional<Explored>();
  auto space = explore::Space::make(request.setup.space);
  FOREWARP_TRY(space);
  auto summary = explore::summarize(**store, *space, request.summary);
  FOREWARP_TRY(summary);
  return Explored{*std::move(space), *std::move(*store), *std::move(summary)};
}

} // namespace forewarp::cli
