// One SM's first-level caches: the resident groups' warps take turns, one memory instruction each.
#pragma once

#include "memory/translate/stage_input.h"

#include <vector>

namespace forewarp::memory {

/// What L1 lets through, by sample and block of the sample's stream.
struct L1Sample {
  double visits = 0; ///< resident groups that this sample stood for
  std::vector<std::uint16_t>
      passed; ///< [block] 32-byte sectors to L2, summed over the visits (64 SMs at most)
  std::vector<std::uint16_t> asked; ///< [block] the most that could have passed, summed likewise
  std::vector<std::uint8_t> mask;   ///< [block] sectors that ever passed at the sample's own alignment

  /// Something of an event with so many blocks from `first_block` on got through, or it was not looked up.
  bool passes(std::size_t first_block, std::size_t blocks) const {
    if (visits == 0 || first_block + blocks > passed.size())
      return true;
    unsigned any = 0;
    for (std::size_t b = first_block; b < first_block + blocks; ++b)
      any |= passed[b];
    return any != 0;
  }
};

struct L1Result {
  std::vector<L1Sample> samples;
  std::vector<std::uint32_t>
      source; ///< [sample] sample of the same behaviour that was simulated; itself where it was
  unsigned sms_simulated = 0;
};

/// L1 data bytes of an SM: what the smallest sufficient carve-out for shared memory leaves of a unified
/// array.
std::uint64_t l1_data_bytes(const gpu::MemoryTiming& memory, const gpu::OccupancyLimits& limits,
                            unsigned active_groups, std::uint64_t shared_bytes_per_group);

/// Who on an SM is at a place of its own in the kernel, instead of in step with the others. Where the oldest
/// goes first, the rest fall behind: groups, and the warps of a group that do not wait for each other.
enum class Drift { none, groups, warps };

L1Result run_l1(const StageInput& in, std::uint64_t l1_bytes, Drift drift = Drift::none);

} // namespace forewarp::memory
