// Divisions of floats that leave the machine code's short path.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace forewarp::facts {

/// One whose quotients were infinite or no number in at least half of its runs: zero or infinity was divided.
struct SlowDivision {
  std::uint32_t block = 0;       ///< by position in the kernel
  std::uint32_t instruction = 0; ///< of the IR, by position in the block
  auto operator<=>(const SlowDivision&) const = default;
};
using SlowDivisions = std::vector<SlowDivision>;

} // namespace forewarp::facts
