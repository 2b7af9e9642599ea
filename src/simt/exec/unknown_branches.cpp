#include "simt/exec/unknown_branches.h"

#include "support/counter_random.h"

#include <fmt/format.h>

#include <bit>

namespace forewarp::simt {
namespace {

std::uint64_t draw(const GroupState& state, std::uint64_t lanes_to_draw, double probability,
                   std::uint32_t line, bool uniform) {
  const std::uint64_t group =
      (state.group.z * state.shape.groups.y + state.group.y) * state.shape.groups.x + state.group.x;
  const std::uint64_t stream = counter_random(
      state.options.seed, (group << 24) ^ (static_cast<std::uint64_t>(state.warp->index) << 16) ^ line);
  const std::uint64_t step = state.warp->trace.steps.size();
  std::uint64_t result = 0;
  for (std::uint64_t rest = lanes_to_draw; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    if (counter_random_unit(stream, uniform ? step * 64 : step * 64 + l) < probability)
      result |= std::uint64_t{1} << l;
  }
  return result;
}

/// Code without a line table has no lines that an option could name.
std::string loop_remedy(std::uint32_t line) {
  return line == 0 ? "--default-trip-count N, or a line table (-lineinfo, -g) and --trip-count LINE=N"
                   : fmt::format("--trip-count {}=N", line);
}
std::string branch_remedy(std::uint32_t line) {
  return line == 0 ? "a line table (-lineinfo, -g) and --branch LINE=P" : fmt::format("--branch {}=P", line);
}

} // namespace

std::uint64_t settle_branch(GroupState& state, const Terminator& t, std::uint64_t condition,
                            std::uint64_t unknown, std::uint64_t& both) {
  const std::uint32_t line = state.program.locations[t.location].line;
  const UnknownPolicy& policy = state.options.unknown;
  ++state.guesses;
  state.warp->assumed |= unknown;
  const std::uint64_t sure = condition & state.active & ~unknown;
  const bool uniform = unknown == state.active && state.known(t.condition) == 0;
  if (auto given = policy.branch_probabilities.find(line); given != policy.branch_probabilities.end()) {
    state.note_once(facts::Note::Severity::assumption, t.location,
                    fmt::format("a share of {} of the lanes is taken to follow this branch", given->second),
                    "");
    return sure | draw(state, unknown, given->second, line, uniform);
  }
  if (t.exit_of_loop != UINT32_MAX) {
    auto given = policy.trip_counts.find(line);
    const std::uint64_t trips = given != policy.trip_counts.end() ? given->second : policy.default_trip_count;
    const std::uint64_t done = state.warp->loop_iterations[t.exit_of_loop] + (t.is_latch ? 1 : 0);
    if (state.is_new(t.location, NoteKind::trip_count)) {
      const auto text =
          fmt::format("this loop's trip count rests on unknown values: {} iterations are assumed", trips);
      if (given != policy.trip_counts.end())
        state.note_once(facts::Note::Severity::assumption, t.location, text + " as given", "");
      else
        state.note_unknown(t.location, text, loop_remedy(line));
    }
    // A count that was given holds.
    const std::uint64_t overran = given == policy.trip_counts.end() ? unknown & state.warp->overran : 0;
    state.warp->overran &= ~overran;
    const std::uint64_t leaving = done >= trips ? unknown : overran;
    return sure | (t.leaves_when_true ? leaving : unknown & ~leaving);
  }
  if (t.expected) {
    state.note_once(facts::Note::Severity::assumption, t.location,
                    "this branch rests on unknown values: the way that the code takes for usual is run",
                    branch_remedy(line));
    return *t.expected ? sure | unknown : sure;
  }
  if (state.is_new(t.location, NoteKind::both_sides))
    state.note_unknown(t.location, "this branch rests on unknown values: both sides are run",
                       branch_remedy(line));
  both = unknown;
  return sure | unknown;
}

} // namespace forewarp::simt
