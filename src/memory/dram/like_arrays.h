// How many arrays a warp walks at a time that begin at like offsets.
//
// Where a memory controller takes channel and bank from plain address bits, arrays a power of two apart ask
// the same banks for different rows at the same time. What 16 of them reach is measured
// (`dram_arrays_read_efficiency` of a GPU file); boards that mix higher bits in lose nothing.
#pragma once

#include "facts/memory_profile.h"
#include "facts/trace.h"

#include <vector>

namespace forewarp::memory {

/// Offsets are alike when their distance is a multiple of this many bytes: the same bank of the same channel,
/// another row (HBM2 of four stacks: 64 channels x 16 banks x rows of 1 KiB), ...
inline constexpr std::uint64_t like_period_bytes = 1 << 20;
/// ... give or take this many: the neighbours of a cell lie in the same row of DRAM.
inline constexpr std::uint64_t like_tolerance_bytes = 2048;

/// Largest number of arrays at like offsets among the accesses of one warp that move bytes of DRAM: at least
/// a 64th of all. Accesses without a known address count as none. 0: nothing moves.
unsigned arrays_at_like_offsets(const facts::KernelTrace& trace,
                                const std::vector<facts::SiteProfile>& sites);

} // namespace forewarp::memory
