// What each machine operation of a kernel costs one SM, with the GPU's bandwidth left as a function of the
// number of groups; and the facts of the published models at one point, by the same builders that
// `forewarp models` uses.
//
// Context-independent mapper: every access of global memory is coalesced and goes to DRAM (P section 6.3).
#pragma once

#include "engine/plan.h"
#include "predict/model_facts/flow_tree.h"
#include "symbolic/kernel/grid_runs.h"

namespace forewarp::formula {

struct OperationCost {
  facts::ModelClassKind kind = facts::ModelClassKind::compute;
  bool waited = true;
  double pipe_cycles = 1;    ///< lambda at the level of one SM, bandwidth apart
  double latency_cycles = 1; ///< Lambda
  double dram_bytes = 0;     ///< per warp, for what goes to DRAM
  bool store = false;
  std::uint32_t subsystem = 0; ///< index into CostTable::subsystems
  /// Where a second pipe may take it: the unit's cycles before they are shared by a unit a scheduler.
  int unit = -1, second_unit = -1;
  double unit_cycles = 0;
};

struct CostTable {
  std::vector<std::vector<OperationCost>> blocks; ///< [block][operation]
  std::vector<std::string> subsystems;
  predict::model_facts::StaticGraph graph;                    ///< of all operations
  facts::ModelFacts mix;                                      ///< only the rows: kinds and names
  double read_bytes_per_cycle = 1, write_bytes_per_cycle = 1; ///< DRAM, whole GPU
};

CostTable cost_table(const engine::Target& target);

/// Numbers of one launch of the grid.
struct Counts {
  std::vector<double> blocks; ///< runs by all warps
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> edges;
  double groups = 1;
};
/// Facts without instruction graphs; `ilp` is W's weighted local mean (Eq. 8).
facts::ModelFacts facts_of(const engine::Target& target, const Counts& counts);

} // namespace forewarp::formula
