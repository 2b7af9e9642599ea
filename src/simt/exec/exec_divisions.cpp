// Divisions at full accuracy, looked at while they run: which of them leave the short way of the machine
// code.
#include "simt/exec/group.h"

#include <bit>

namespace forewarp::simt {

/// Infinite or no number in any lane that is known: the warp takes the slow path.
void GroupRunner::watch_division(const Instruction& instruction) {
  const std::int32_t slot = instruction.slots.a;
  const std::uint64_t looked_at = known(slot) & (instruction.slots.uniform ? std::uint64_t{1} : active_);
  constexpr std::uint64_t exponent = 0x7f800000;
  bool slow = false;
  for (std::uint64_t rest = looked_at; rest != 0 && !slow; rest &= rest - 1)
    slow = (lane_bits(slot, LaneType::word, static_cast<unsigned>(std::countr_zero(rest))) & exponent) ==
           exponent;
  division_runs_.resize(program_.divisions.size());
  DivisionRuns& runs = division_runs_[instruction.detail];
  ++runs.all;
  runs.slow += slow ? 1 : 0;
}

facts::SlowDivisions GroupRunner::slow_divisions() const {
  facts::SlowDivisions slow;
  for (std::size_t d = 0; d < division_runs_.size(); ++d)
    if (division_runs_[d].slow > 0 && 2 * division_runs_[d].slow >= division_runs_[d].all)
      slow.push_back(program_.divisions[d]);
  return slow;
}

} // namespace forewarp::simt
