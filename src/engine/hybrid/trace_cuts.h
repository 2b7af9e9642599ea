// Long traces simulated in part: each warp's steps up to some run of a loop's block and from the last run of
// that block to the end. With two such parts of different length the time per left-out iteration follows.
#pragma once

#include "engine/hybrid/streams.h"
#include "pipeline/simulator.h"

#include <optional>
#include <vector>

namespace forewarp::engine::hybrid {

/// What is left out of each warp of each sample.
struct TraceCuts {
  std::vector<std::vector<TraceCut>> cuts; ///< [sample][warp]
};

/// Two parts of the traces.
struct TwoParts {
  TraceCuts shorter, longer;
  double more = 0; ///< instructions that the longer leaves out over those that it holds more than the shorter
  bool alike = false; ///< what the longer holds more asks of the memory system what the rest does
};

/// Parts that hold about half of `share` and `share` of the instructions and end at the same place of
/// the outermost loop that runs often enough. Nothing where a warp of the classes has no such loop.
std::optional<TwoParts> cut_traces(const facts::KernelTrace& trace,
                                   const std::vector<facts::BehaviourClass>& classes,
                                   const facts::MemoryProfile& memory, const StreamTemplates& templates,
                                   double share, bool anywhere);

/// Outcome of the whole from those of two parts: every figure grows with the share kept, along a line.
pipeline::Outcome extended(const pipeline::Outcome& shorter, const pipeline::Outcome& longer, double more);

} // namespace forewarp::engine::hybrid
