// How often the warps of the grid ran each block, from the sampled groups.
#pragma once

#include "predict/model_facts/control_flow.h"
#include "predict/traced/hybrid.h"

#include <map>
#include <utility>
#include <vector>

namespace forewarp::predict::model_facts {

struct BlockRuns {
  std::vector<double> per_warp; ///< by block: mean over the grid's warps
  /// (previous block, block) -> mean runs per warp; UINT32_MAX before the entry
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> edges;
};

/// Of a warp that is recorded in part, loops stand for all of it; not modelled: cycles with two entries,
/// which count as recorded.
BlockRuns block_runs(const TracedFacts& facts, const ControlFlow& flow);

} // namespace forewarp::predict::model_facts
