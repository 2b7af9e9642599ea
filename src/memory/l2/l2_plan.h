// How much of the stream a run of L2 simulates.
#pragma once

#include "memory/l2/l2_stage.h"
#include "memory/waves/line_sampling.h"

#include <cstdint>

namespace forewarp::memory {

/// One of so many equal parts.
gpu::CacheGeometry part_of(gpu::CacheGeometry geometry, unsigned parts);

/// The share of the lines for a stream of `accesses`, on caches of which the smallest is `geometry`.
LineSampling choose_sampling(const StageInput& in, const gpu::CacheGeometry& geometry, std::uint64_t accesses,
                             const L2Options& options);

/// Last waves of the launch before that fill the caches: were every access a sector of its own, or the
/// buffers spread evenly over the waves, whichever asks for more. Bounded where sectors are asked for again
/// and again.
std::uint64_t waves_before(const StageInput& in, std::uint64_t cache_bytes, std::uint64_t accesses_a_wave,
                           std::uint64_t simulated);

} // namespace forewarp::memory
