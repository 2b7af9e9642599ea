#include "pipeline/profile/common.h"

#include <algorithm>
#include <cmath>

namespace forewarp::pipeline {
namespace {

using namespace profile_detail;

char letter(std::uint32_t warp) {
  constexpr std::string_view letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return letters[warp % letters.size()];
}

/// Warps are numbered over groups in launch order.
class WarpNumbers {
public:
  explicit WarpNumbers(const ProfileRecorder& profile) {
    for (const IssueEvent& event : profile.issues)
      warps_ = std::max(warps_, event.warp + 1);
  }
  std::uint32_t of(const IssueEvent& event) const { return event.group * warps_ + event.warp; }

private:
  std::uint32_t warps_ = 1;
};

std::string table(const ProfileSummary& summary) {
  std::size_t width = 8;
  for (const PipelineUse& pipeline : summary.pipelines)
    width = std::max(width, pipeline.name.size());
  std::string text = fmt::format("{:<{}}  {:>12}  {:>6}  {:>9}  {:>9}\n", "pipeline", width, "instructions",
                                 "busy", "in flight", "mean");
  for (const PipelineUse& pipeline : summary.pipelines)
    text += fmt::format("{:<{}}  {:>12.0f}  {:>5.1f}%  {:>8.1f}%  {:>9.2f}\n", pipeline.name, width,
                        pipeline.instructions, 100 * pipeline.busy_fraction,
                        100 * pipeline.in_flight_fraction, pipeline.mean_in_flight);
  text += fmt::format("\nno pipeline busy {:.1f}% of {:.0f} cycles; two or more busy {:.1f}% of the rest\n",
                      100 * summary.idle_fraction, summary.cycles, 100 * summary.overlap_fraction);
  text += fmt::format("\n{:<22}  {:>14}  {:>22}\n", "warps wait for", "warp-cycles", "while no pipe is busy");
  for (int cause = 0; cause < stall_cause_count; ++cause)
    if (summary.stall_cycles[static_cast<std::size_t>(cause)] > 0)
      text += fmt::format("{:<22}  {:>14.1f}  {:>22.1f}\n", to_string(static_cast<StallCause>(cause)),
                          summary.stall_cycles[static_cast<std::size_t>(cause)],
                          summary.idle_stall_cycles[static_cast<std::size_t>(cause)]);
  return text;
}

} // namespace

std::string profile_to_text(const ProfileRecorder& profile, const Outcome& outcome, const ProfileNames& names,
                            unsigned width, double cycles_per_column) {
  std::string text = names.title.empty() ? "" : names.title + "\n\n";
  text += table(summarize(profile, outcome, names));
  if (!(outcome.cycles > 0) || profile.issues.empty())
    return text;
  const auto pipelines = pipelines_of(profile);
  const bool several = several_instances(pipelines);
  const WarpNumbers numbers(profile);
  const double column = cycles_per_column > 0
                            ? cycles_per_column
                            : std::max(1.0, std::ceil(outcome.cycles / std::max(1u, width)));
  const auto columns =
      std::min<std::size_t>(static_cast<std::size_t>(std::ceil(outcome.cycles / column)), 100'000);
  std::map<std::uint32_t, std::string> rows;
  std::size_t label_width = 5;
  for (const auto& [instance, name] : pipelines) {
    rows[instance] = std::string(columns, '.');
    label_width = std::max(label_width, pipeline_label(name, names, several).size());
  }
  for (const IssueEvent& event : profile.issues) {
    std::string& row = rows[event.instance];
    const auto from = static_cast<std::size_t>(event.issue_cycle / column);
    const auto to = static_cast<std::size_t>(std::ceil(event.subsystem_free_cycle / column));
    for (std::size_t i = from; i < std::min(std::max(to, from + 1), columns); ++i)
      row[i] = row[i] == '.' || row[i] == letter(numbers.of(event)) ? letter(numbers.of(event)) : '*';
  }
  text += fmt::format("\n{:<{}}  a column is {:g} cycle{}, a letter a warp\n", "cycle", label_width, column,
                      column == 1 ? "" : "s");
  for (const auto& [instance, name] : pipelines)
    text += fmt::format("{:<{}}  {}\n", pipeline_label(name, names, several), label_width, rows[instance]);
  if (profile.dropped > 0)
    text += fmt::format("\n{} events beyond the recorder's limit are not shown\n", profile.dropped);
  return text;
}

} // namespace forewarp::pipeline
