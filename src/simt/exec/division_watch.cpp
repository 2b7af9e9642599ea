#include "simt/exec/division_watch.h"

#include <bit>

namespace forewarp::simt {

/// Infinite or no number in any lane that is known: the warp takes the slow path.
void DivisionWatch::watch(const Instruction& instruction) {
  const std::int32_t slot = instruction.slots.a;
  const std::uint64_t looked_at =
      state_.known(slot) & (instruction.slots.uniform ? std::uint64_t{1} : state_.active);
  constexpr std::uint64_t exponent = 0x7f800000;
  bool slow = false;
  for (std::uint64_t rest = looked_at; rest != 0 && !slow; rest &= rest - 1)
    slow = (state_.lane_bits(slot, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))) &
            exponent) == exponent;
  runs_.resize(state_.program.divisions.size());
  Runs& runs = runs_[instruction.detail];
  ++runs.all;
  runs.slow += slow ? 1 : 0;
}

facts::SlowDivisions DivisionWatch::slow() const {
  facts::SlowDivisions slow;
  for (std::size_t d = 0; d < runs_.size(); ++d)
    if (runs_[d].slow > 0 && 2 * runs_[d].slow >= runs_[d].all)
      slow.push_back(state_.program.divisions[d]);
  return slow;
}

} // namespace forewarp::simt
