// forewarp explore: every configuration of a design space.
#include "cli/commands/commands.h"
#include "cli/commands/explore/explore_options.h"
#include "cli/commands/explore/explore_prefilter.h"
#include "cli/output.h"
#include "explore/share/transport.h"
#include "explore/write/plots.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace forewarp::cli {
namespace {

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

/// Says on standard error what was kept: the answer has the form of every other.
Result<void> apply_prefilter(const ExploreWords& words, ExploreRequest& request) {
  if (words.objective != "time" || words.sweep.sample > 0)
    return fail(ErrorCode::usage, "a prefilter looks at the times of a whole space", "--prefilter",
                "leave --objective and --sample out");
  auto filtered = prefilter(request.setup, words.request, words.prefilter);
  FOREWARP_TRY(filtered);
  fmt::print(
      stderr, "prefilter: {} configurations, '{}' left open in {} formulas of {} predictions; {} kept\n",
      filtered->configurations, filtered->open, filtered->formulas, filtered->predictions, filtered->kept);
  request.setup.space = std::move(filtered->space);
  return {};
}

Result<void> explore_space(const ExploreWords& words) {
  auto request = make_explore_request(words);
  FOREWARP_TRY(request);
  if (words.prefilter > 0)
    FOREWARP_TRY(apply_prefilter(words, *request));
  Result<std::optional<Explored>> explored;
  {
    SweepProgress progress;
    request->sweep.progress = [&](double share, std::uint64_t done) { progress.say(share, done); };
    explored = run_explore(*request);
  }
  FOREWARP_TRY(explored);
  if (!*explored)
    return {}; // another process of the job writes
  auto& [space, store, summary] = **explored;
  if (!words.plots.empty())
    FOREWARP_TRY(write_plots(store, summary, words.plots));
  auto file = OutputFile::open(request->output);
  FOREWARP_TRY(file);
  FOREWARP_TRY(request->format->write({request->setup, space, store, summary},
                                      [&](std::string_view text) { return file->write(text); }));
  return file->close();
}

/// The launcher ends all processes once one has failed: not before the first has said why.
void leave_the_word_to_the_first(Error& error) {
  error.message.clear();
  std::this_thread::sleep_for(std::chrono::seconds(1));
}

} // namespace

void add_explore(CLI::App& root, Actions& actions) {
  const auto words = std::make_shared<ExploreWords>();
  CLI::App* app = root.add_subcommand("explore", "Predicts every configuration of a design space");
  app->allow_extras();
  app->footer(
      "Example:\n  forewarp explore --launch corpus/matrix_multiply_tiled/default.toml --gpu k620,v100 \\\n"
      "    --space TILE=4,8,16,32 --space local.x=TILE --space local.y=TILE");
  add_explore_options(*app, *words);
  actions.push_back({app, [words]() -> Result<void> {
                       auto done = explore_space(*words);
                       if (!done && explore::is_helper_process())
                         leave_the_word_to_the_first(done.error());
                       return done;
                     }});
}

} // namespace forewarp::cli
