// Achieved DRAM bandwidth of a mixture of reads and writes.
#pragma once

#include "facts/memory_profile.h"
#include "gpu/machine.h"

namespace forewarp::engine::hybrid {

/// 1e9 bytes/s that reads and writes reach in this kernel's mixture. Measured are reads alone, writes alone
/// and a copy (half and half); turning the bus around costs most at half and half, hence a parabola through
/// the three.
struct DramRates {
  double read_gbps = 0, write_gbps = 0;
};
DramRates dram_rates(const gpu::MemoryTiming& memory, double bytes_read, double bytes_written);

} // namespace forewarp::engine::hybrid
