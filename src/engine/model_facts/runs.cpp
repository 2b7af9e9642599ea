#include "engine/model_facts/runs.h"

#include <algorithm>

namespace forewarp::engine::model_facts {

BlockRuns block_runs(const hybrid::Facts& facts) {
  BlockRuns runs;
  runs.per_warp.assign(facts.program.blocks.size(), 0);
  double warps = 0;
  for (const facts::BehaviourClass& behaviour : facts.trace.classes) {
    const facts::GroupTrace& group = facts.trace.groups[behaviour.samples.front()];
    for (const facts::WarpTrace& warp : group.warps) {
      warps += behaviour.weight_groups;
      const double weight = behaviour.weight_groups / warp.recorded_share;
      for (const facts::BlockStep& step : warp.steps) {
        runs.per_warp[step.block] += weight;
        runs.edges[{step.previous_block, step.block}] += weight;
      }
    }
  }
  for (double& value : runs.per_warp)
    value /= std::max(warps, 1e-9);
  for (auto& [edge, value] : runs.edges)
    value /= std::max(warps, 1e-9);
  return runs;
}

} // namespace forewarp::engine::model_facts
