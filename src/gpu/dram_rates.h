// DRAM rates of a GPU: which one is meant, and in which unit. A resolved machine has all four of
// MemoryTiming; what a file leaves out was derived from the peak (gpu/resolve/memory.cpp), so that nobody
// needs a fallback.
//
// | What is asked | Rate |
// |---|---|
// | a kernel whose bytes read and written are known | dram_rates() |
// | loads alone: P's and C's lambda of a load, Wang et al.'s delay | dram_read_gbps |
// | bytes of which the mixture is not known: Roofline | dram_copy_gbps |
// | a bound that holds for every mixture: a port's least time | max(dram_read_gbps, dram_write_gbps) |
// | the share of what the board could do | dram_peak_gbps |
#pragma once

#include "gpu/machine.h"

namespace forewarp::gpu {

/// 1e9 bytes/s that reads and writes reach in a mixture.
struct DramRates {
  double read_gbps = 0, write_gbps = 0;
};
/// In this kernel's mixture: turning the bus around costs most at half and half, hence a parabola through the
/// three measured rates. `like_arrays`: walked at a time, at like offsets (memory/dram/like_arrays.h); up to
/// 4 cost nothing, 16 and more have the rate measured with 16, by the logarithm between.
DramRates dram_rates(const MemoryTiming& memory, double bytes_read, double bytes_written,
                     double like_arrays = 0);

/// A rate in bytes per SM cycle.
double bytes_per_cycle(const Machine& machine, double gbps);

} // namespace forewarp::gpu
