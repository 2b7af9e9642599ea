#include "memory/l2/l2_plan.h"

#include "memory/dram/dram_rows.h"

#include <algorithm>

namespace forewarp::memory {
gpu::CacheGeometry part_of(gpu::CacheGeometry geometry, unsigned parts) {
  geometry.size_bytes /= parts;
  return geometry;
}

LineSampling choose_sampling(const StageInput& in, const gpu::CacheGeometry& geometry, std::uint64_t accesses,
                             const L2Options& options) {
  if (accesses <= options.max_simulated_accesses)
    return {};
  const std::uint64_t most = std::max<std::uint64_t>(1, options.max_simulated_accesses);
  const unsigned together = in.memory.dram_rows.known ? channel_interleave_bytes : block_bytes;
  return {geometry, (accesses + most - 1) / most, in.pitches_bytes, together};
}

std::uint64_t waves_before(const StageInput& in, std::uint64_t cache_bytes, std::uint64_t accesses_a_wave,
                           std::uint64_t simulated) {
  constexpr std::uint64_t least_bound = 64, accesses_a_sector = 4;
  const std::uint64_t waves = in.dealing.waves();
  std::uint64_t buffers = 1;
  for (const facts::MemoryRegion& region : in.trace.regions)
    buffers += region.size_bytes;
  const double share = std::min(1.0, static_cast<double>(cache_bytes) / static_cast<double>(buffers));
  const auto of_buffers = static_cast<std::uint64_t>(share * static_cast<double>(waves)) + 1;
  const std::uint64_t of_accesses = cache_bytes / (accesses_a_wave * sector_bytes) + 1;
  const std::uint64_t bound = std::max(least_bound, accesses_a_sector * of_accesses);
  return std::min(waves, std::max(simulated, std::min(bound, std::max(of_buffers, of_accesses))));
}

} // namespace forewarp::memory
