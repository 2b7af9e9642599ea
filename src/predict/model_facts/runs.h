// How often the warps of the grid ran each block, from the sampled groups.
#pragma once

#include "predict/model_facts/flow_tree_of.h"
#include "predict/traced/hybrid.h"

#include <map>
#include <utility>
#include <vector>

namespace forewarp::predict::model_facts {

using BlockRuns = RunsOf<double>;

/// Of a warp that is recorded in part, loops stand for all of it; not modelled: cycles with two entries,
/// which count as recorded.
BlockRuns block_runs(const TracedFacts& facts, const ControlFlow& flow);

} // namespace forewarp::predict::model_facts
