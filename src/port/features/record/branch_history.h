// Do the decisions of a branch, one after the other, differ (Ardalani 2016, section 3.2, "branch
// divergence")?
#pragma once

#include "port/features/record/counts.h"

#include <vector>

namespace forewarp::port {

class BranchHistory {
public:
  explicit BranchHistory(std::size_t branches) : branches_(branches) {}

  /// `way`: number of the successor that it took, `times` times in a row.
  void decide(std::uint32_t branch, std::uint32_t way, std::uint64_t times) {
    Branch& state = branches_[branch];
    if (way != state.way)
      change(state, way);
    state.decisions += times;
  }

  BranchCounts counts() const;

private:
  struct Branch {
    std::uint64_t decisions = 0;
    std::uint32_t way = UINT32_MAX;
    /// By size of the window: number of the last mixed one + 1, and how many there were.
    std::array<std::uint64_t, branch_window_count> last_mixed = {}, mixed = {};
  };
  /// A window is mixed where a decision inside it, not its first, differs from the one before.
  static void change(Branch& state, std::uint32_t way);

  std::vector<Branch> branches_;
};

} // namespace forewarp::port
