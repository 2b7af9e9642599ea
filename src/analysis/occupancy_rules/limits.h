// How many groups of a launch each resource of an SM holds. Pure arithmetic on gpu::OccupancyLimits.
#pragma once

#include "gpu/machine.h"

#include <cstdint>

namespace forewarp::analysis {

/// What one group asks for.
struct GroupDemand {
  unsigned threads = 0;
  unsigned warps = 0;
  unsigned registers_per_thread = 0; ///< VGPRs on AMD
  std::uint64_t shared_bytes = 0;    ///< static + dynamic
};

/// A resource that the group does not use does not limit.
inline constexpr unsigned unlimited = UINT32_MAX;

/// Registers: H Eq. 1-2 with allocation rules. Per warp and register partition (compute capability 2.0 and
/// later), per group with the warps rounded up (1.x), or VGPRs per SIMD lane (AMD). 0: not even one group.
/// Not modelled: AMD's scalar registers (they stopped limiting with GCN 5).
unsigned groups_by_registers(const gpu::Machine& machine, const GroupDemand& group);

/// Shared memory: H Eq. 5-6 with reservation and allocation step.
unsigned groups_by_shared(const gpu::Machine& machine, const GroupDemand& group);

/// Warps and threads of an SM: H Eq. 3.
unsigned groups_by_warps(const gpu::Machine& machine, const GroupDemand& group);

/// The least of the three and of the limit on groups: H Eq. 7.
unsigned resident_groups(const gpu::Machine& machine, const GroupDemand& group);

/// Bytes that one group takes of the SM's shared memory.
std::uint64_t allocated_shared_bytes(const gpu::OccupancyLimits& limits, std::uint64_t shared_bytes);

} // namespace forewarp::analysis
