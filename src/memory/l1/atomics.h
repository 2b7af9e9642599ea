// Contention of atomics: how many operations of the whole grid go to the most used address and line.
#pragma once

#include "memory/translate/stage_input.h"

namespace forewarp::memory {

struct HottestOperations {
  double address = 0, line = 0; ///< of lanes, on the most used address and 128-byte line
};

/// SM cycles that L2 takes for the operations on one line: those on one address follow each other, and a line
/// lies in one slice, which takes so many a cycle.
double atomic_line_cycles(const HottestOperations& operations, const gpu::MemoryTiming& memory);

/// By site; 0 for sites that are not atomic. Addresses that move with the group index are contended inside a
/// group only; others are counted over the grid by the samples' weights, all sites' on the one line that
/// takes longest (line 0: a site that does not touch it; its address is then its own most used one). Unknown
/// addresses: evenly over the buffer, up to 128 KiB. Shared memory: inside a group.
std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights);

} // namespace forewarp::memory
