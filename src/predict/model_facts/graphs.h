// Dependence graphs of the warps of a typical group.
#pragma once

#include "predict/model_facts/timing.h"

namespace forewarp::predict::model_facts {

struct GraphLimits {
  std::size_t most_instructions = 20'000; ///< of one warp; longer warps are cut there
  std::size_t most_in_all = 200'000;      ///< of all graphs of the group
};

/// Fills graphs, warp_graphs and ilp. Graph 0 is the representative warp's: of the most frequent kind of
/// group, the warp whose length is nearest to the grid's mean. Warps that ran the same blocks share a graph.
/// Notes say what was cut or left out.
void add_graphs(const TracedFacts& facts, const hybrid::StreamTemplates& templates, const OpTable& table,
                const GraphLimits& limits, facts::ModelFacts& out, std::vector<facts::Note>& notes);

} // namespace forewarp::predict::model_facts
