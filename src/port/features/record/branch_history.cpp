#include "port/features/record/branch_history.h"

namespace forewarp::port {

void BranchHistory::change(Branch& state, std::uint32_t way) {
  state.way = way;
  for (std::size_t i = 0; i < branch_window_count; ++i) {
    const std::uint64_t size = 1ULL << (first_branch_window_log2 + i);
    const std::uint64_t window = state.decisions / size + 1;
    if (state.decisions % size == 0 || state.last_mixed[i] == window)
      continue;
    state.last_mixed[i] = window;
    ++state.mixed[i];
  }
}

BranchCounts BranchHistory::counts() const {
  BranchCounts sum;
  for (const Branch& branch : branches_)
    for (std::size_t i = 0; i < branch_window_count; ++i) {
      const std::uint64_t windows = branch.decisions >> (first_branch_window_log2 + i);
      sum.windows[i] += windows;
      sum.mixed[i] += branch.mixed[i] - (branch.last_mixed[i] > windows ? 1 : 0); // one that is not complete
    }
  return sum;
}

} // namespace forewarp::port
