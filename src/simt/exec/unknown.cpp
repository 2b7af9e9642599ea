// What is done where a branch rests on unknown values (design law 3).
//  - `--branch LINE=P`: that share of the unknown lanes takes it (the whole warp or none where the condition
//  is uniform).
//  - A branch that leaves a loop: the loop runs `--trip-count LINE=N` times, else the default number of
//  times.
//  - Any other: the unknown lanes run both sides, one after the other; the values that meet behind them are
//  unknown.
//    A lane that returns on one side only goes on behind the branch.
#include "simt/exec/group.h"

#include "support/counter_random.h"

#include <fmt/format.h>

#include <bit>

namespace forewarp::simt {

std::uint64_t GroupRunner::draw(std::uint64_t lanes_to_draw, double probability, std::uint32_t line,
                                bool uniform) {
  const std::uint64_t group = (group_.z * shape_.groups.y + group_.y) * shape_.groups.x + group_.x;
  const std::uint64_t stream =
      counter_random(options_.seed, (group << 24) ^ (static_cast<std::uint64_t>(warp_->index) << 16) ^ line);
  const std::uint64_t step = warp_->trace.steps.size();
  std::uint64_t result = 0;
  for (std::uint64_t rest = lanes_to_draw; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    if (counter_random_unit(stream, uniform ? step * 64 : step * 64 + l) < probability)
      result |= std::uint64_t{1} << l;
  }
  return result;
}

void GroupRunner::note_once(facts::Note::Severity severity, std::uint32_t location, const std::string& text,
                            const std::string& remedy) {
  const facts::SourceLocation at = program_.locations[location];
  if (!noted_.insert({at.line, text}).second)
    return;
  notes_.push_back({severity, text, at, remedy});
}

std::uint64_t GroupRunner::settle_branch(const Terminator& t, std::uint64_t condition, std::uint64_t unknown,
                                         std::uint64_t active, std::uint64_t& both) {
  const std::uint32_t line = program_.locations[t.location].line;
  const UnknownPolicy& policy = options_.unknown;
  ++guesses_;
  const std::uint64_t sure = condition & active & ~unknown;
  const bool uniform = unknown == active && known(t.condition) == 0;
  if (auto given = policy.branch_probabilities.find(line); given != policy.branch_probabilities.end()) {
    note_once(facts::Note::Severity::assumption, t.location,
              fmt::format("a share of {} of the lanes is taken to follow this branch", given->second), "");
    return sure | draw(unknown, given->second, line, uniform);
  }
  if (t.exit_of_loop != UINT32_MAX) {
    auto given = policy.trip_counts.find(line);
    const std::uint64_t trips = given != policy.trip_counts.end() ? given->second : policy.default_trip_count;
    const std::uint64_t done = warp_->loop_iterations[t.exit_of_loop] + (t.is_latch ? 1 : 0);
    note_once(facts::Note::Severity::assumption, t.location,
              fmt::format("this loop's trip count rests on unknown values: {} iterations are assumed{}",
                          trips, given != policy.trip_counts.end() ? " as given" : ""),
              given != policy.trip_counts.end() ? "" : fmt::format("--trip-count {}=N", line));
    const bool leaves = done >= trips;
    return leaves == t.leaves_when_true ? sure | unknown : sure;
  }
  note_once(facts::Note::Severity::assumption, t.location,
            "this branch rests on unknown values: both sides are run", fmt::format("--branch {}=P", line));
  both = unknown;
  return sure | unknown;
}

} // namespace forewarp::simt
