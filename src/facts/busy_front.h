// Grids whose first groups work and whose others leave at once: `if (i >= n) return` with a grid made for
// more than n.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <optional>

namespace forewarp::facts {

/// Linear indices (x fastest) of sampled groups: the last that works, and the first behind it that does not.
struct BusyFront {
  std::uint64_t last_busy = 0, first_idle = 0;

  /// Groups that are taken to work: up to the middle between the two.
  std::uint64_t busy_groups() const { return (last_busy + 1 + first_idle) / 2; }
};

std::uint64_t linear_index(const Dim3& grid, const GroupTrace& group);

/// Nothing where busy and idle groups are mixed, all work, work falls little by little, or only the rim of a
/// rounded grid (its last group) is idle. Idle: at most a tenth of the work of the busiest sampled group; half
/// of it where the group asks no memory for anything and others do.
std::optional<BusyFront> busy_front(const KernelTrace& trace);

} // namespace forewarp::facts
