#include "predict/model_facts/runs.h"

#include <algorithm>

namespace forewarp::predict::model_facts {

namespace {

/// No loop repeats it: it ran once, however little of the warp the record holds.
bool runs_once(std::uint32_t block, const ControlFlow& flow) {
  return block == no_block || flow.loop[block] == no_loop;
}

/// Pieces of a warp's life hold the loops that it was in, seldom the way there: what leads to a loop ran at
/// least once. One way is taken of several; how often loops around it turned stays what the pieces show.
void complete_ways(const ControlFlow& flow, BlockRuns& runs) {
  std::vector<std::uint32_t> before(flow.successors.size(), no_block), open = {0};
  std::vector<bool> seen(flow.successors.size());
  seen[0] = true;
  for (std::size_t i = 0; i < open.size(); ++i)
    for (const std::uint32_t next : flow.successors[open[i]])
      if (!seen[next]) {
        seen[next] = true;
        before[next] = open[i];
        open.push_back(next);
      }
  const auto at_least_once = [](double& count) { count = std::max(count, 1.0); };
  for (const ControlFlow::Loop& loop : flow.loops)
    if (runs.per_warp[loop.header] >= 1)
      for (std::uint32_t block = loop.header; block != no_block; block = before[block]) {
        at_least_once(runs.per_warp[block]);
        at_least_once(runs.edges[{before[block], block}]);
      }
}

} // namespace

BlockRuns block_runs(const TracedFacts& facts, const ControlFlow& flow) {
  BlockRuns runs;
  runs.per_warp.assign(facts.program.blocks.size(), 0);
  double warps = 0;
  bool in_part = false;
  for (const facts::BehaviourClass& behaviour : facts.trace.classes) {
    const facts::GroupTrace& group = facts.trace.groups[behaviour.samples.front()];
    for (const facts::WarpTrace& warp : group.warps) {
      warps += behaviour.weight_groups;
      in_part = in_part || warp.recorded_share < 1;
      const double once = behaviour.weight_groups, repeated = once / warp.recorded_share;
      for (const facts::BlockStep& step : warp.steps) {
        const bool alone = runs_once(step.block, flow);
        runs.per_warp[step.block] += alone ? once : repeated;
        runs.edges[{step.previous_block, step.block}] +=
            alone || runs_once(step.previous_block, flow) ? once : repeated;
      }
    }
  }
  for (double& value : runs.per_warp)
    value /= std::max(warps, 1e-9);
  for (auto& [edge, value] : runs.edges)
    value /= std::max(warps, 1e-9);
  if (in_part && !flow.successors.empty())
    complete_ways(flow, runs);
  return runs;
}

} // namespace forewarp::predict::model_facts
