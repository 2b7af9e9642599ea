// forewarp explore: every configuration of a design space.
#include "cli/commands/commands.h"
#include "cli/commands/predict_options.h"
#include "cli/output.h"
#include "cli/version.h"
#include "explore/plots.h"
#include "explore/read_tuner.h"
#include "explore/sweep.h"
#include "explore/transport.h"
#include "explore/write.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>

namespace forewarp::cli {
namespace {

struct ExploreWords {
  PredictWords request;
  std::vector<std::string> spaces, where;
  std::string space_file, objective = "time", store, plots;
  explore::SweepOptions sweep;
  explore::SummaryOptions summary;
};

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
  return explore::complete(std::move(setup));
}

/// "12.5 %, 4000 configurations, 130 a second, 3 min left", at most a few times a second.
class SweepProgress {
public:
  void say(double share, std::uint64_t done) {
    const auto now = std::chrono::steady_clock::now();
    constexpr auto pause = std::chrono::milliseconds(200);
    if (now - said_ < pause)
      return;
    if (said_ == std::chrono::steady_clock::time_point())
      first_share_ = share;
    said_ = now;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double gained = share - first_share_;
    std::string text = fmt::format("{:.1f} %, {} configurations, {:.0f} a second", 100 * share, done,
                                   static_cast<double>(done) / seconds);
    if (gained > 0)
      text += ", " + duration(seconds * (1 - share) / gained) + " left";
    line_.say(text);
  }

private:
  static std::string duration(double seconds) {
    constexpr double minute = 60, hour = 3600;
    return seconds < 2 * minute ? fmt::format("{:.0f} s", seconds)
           : seconds < 2 * hour ? fmt::format("{:.0f} min", seconds / minute)
                                : fmt::format("{:.1f} h", seconds / hour);
  }
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), said_;
  double first_share_ = 0;
  Progress line_;
};

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

/// "Tesla V100 SXM2" -> "tesla-v100-sxm2".
std::string file_word(std::string text) {
  for (char& c : text)
    c = std::isalnum(static_cast<unsigned char>(c)) != 0
            ? static_cast<char>(std::tolower(static_cast<unsigned char>(c)))
            : '-';
  return text;
}

Result<void> write_plots(explore::Store& store, const explore::Summary& summary, const std::string& folder) {
  const auto sorted = explore::sorted_plot(store, summary);
  FOREWARP_TRY(sorted);
  FOREWARP_TRY(write_output(*sorted, folder + "/sorted.svg"));
  for (const explore::GpuSummary& gpu : summary.gpus)
    FOREWARP_TRY(
        write_output(explore::effects_plot(gpu), folder + "/effects-" + file_word(gpu.gpu) + ".svg"));
  return {};
}

Result<void> explore_space(const ExploreWords& words) {
  auto options = words.sweep;
  auto summary_options = words.summary;
  const auto format = explore::find_format(words.request.format);
  FOREWARP_TRY(format);
  const auto objective = explore::find_objective(words.objective);
  FOREWARP_TRY(objective);
  summary_options.objective = *objective;
  const auto setup = make_setup(words);
  FOREWARP_TRY(setup);
  FOREWARP_TRY(check(words, **format, setup->base.gpus.size()));
  options.version = version;
  options.store = words.store;
  std::string output = words.request.output;
  if (is_store_name(output))
    options.store = std::exchange(output, "");
  Result<std::optional<explore::Store>> store;
  {
    SweepProgress progress;
    options.progress = [&](double share, std::uint64_t done) { progress.say(share, done); };
    store = explore::sweep(*setup, options);
  }
  FOREWARP_TRY(store);
  if (!*store)
    return {}; // another process of the job writes
  const auto space = explore::Space::make(setup->space);
  FOREWARP_TRY(space);
  const auto summary = explore::summarize(**store, *space, summary_options);
  FOREWARP_TRY(summary);
  if (!words.plots.empty())
    FOREWARP_TRY(write_plots(**store, *summary, words.plots));
  auto file = OutputFile::open(output);
  FOREWARP_TRY(file);
  FOREWARP_TRY((*format)->write({*setup, *space, **store, *summary},
                                [&](std::string_view text) { return file->write(text); }));
  return file->close();
}

void add_space(CLI::App& app, ExploreWords& w) {
  const char* group = "Space (docs/explore.md)";
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

void add_explore(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ExploreWords>();
  CLI::App* app = root.add_subcommand("explore", "Predicts every configuration of a design space");
  app->allow_extras();
  app->footer(
      "Example:\n  forewarp explore --launch corpus/matrix_multiply_tiled/default.toml --gpu k620,v100 \\\n"
      "    --space TILE=4,8,16,32 --space local.x=TILE --space local.y=TILE");
  add_request_options(*app, words->request);
  add_space(*app, *words);
  add_answer(*app, *words);
  actions.push_back({app, [words]() -> Result<void> {
                       auto done = explore_space(*words);
                       if (!done && explore::is_helper_process())
                         done.error().message.clear(); // the first process says it
                       return done;
                     }});
}

} // namespace forewarp::cli
