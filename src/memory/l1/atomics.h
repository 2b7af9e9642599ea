// Contention of atomics: how many operations of the whole grid go to the most used address and line.
#pragma once

#include "memory/translate/stage_input.h"

namespace forewarp::memory {

struct HottestOperations {
  double address = 0, line = 0; ///< of lanes, on the most used address and 128-byte line
};

/// By site; 0 for sites that are not atomic or whose addresses are unknown. Addresses that move with the
/// group index are contended inside a group only; others are counted over the grid by the samples' weights.
/// Shared memory: inside a group.
std::vector<HottestOperations> hottest_operations(const StageInput& in,
                                                  const std::vector<facts::MemorySite>& sites,
                                                  const std::vector<double>& sample_weights);

} // namespace forewarp::memory
