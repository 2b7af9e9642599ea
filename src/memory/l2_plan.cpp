#include "memory/l2_plan.h"

#include "memory/dram_rows.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

namespace forewarp::memory {
namespace {

/// Distances of lanes and rows of lanes that are longer than a line.
std::vector<std::uint64_t> pitches_of(const facts::KernelTrace& trace) {
  std::set<std::uint64_t> pitches;
  std::array<std::int64_t, 2> last = {}; // runs of one pitch are long
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events)
        for (const std::int64_t stride : {event.stride, event.row_stride})
          if ((stride > 128 || stride < -128) && stride != last[0] && stride != last[1]) {
            pitches.insert(static_cast<std::uint64_t>(std::abs(stride)));
            last = {stride, last[0]};
          }
  return {pitches.begin(), pitches.end()};
}

} // namespace

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
  return {geometry, (accesses + most - 1) / most, pitches_of(in.trace), together};
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
