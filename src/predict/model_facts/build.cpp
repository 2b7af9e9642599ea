#include "predict/model_facts/build.h"

#include "predict/facts_file/facts_io.h"
#include "predict/model_facts/flow_tree.h"
#include "predict/traced/waves/sm_run.h"

#include <algorithm>

namespace forewarp::predict::model_facts {

Result<Built> build(const TracedFacts& facts, const ControlFlow& flow, Mapper mapper,
                    const GraphLimits& limits) {
  const hybrid::SmLoad load = hybrid::spread(facts);
  const hybrid::StreamTemplates templates(
      facts.program, facts.machine, load.shares,
      memory::frame_sharing(facts.program, facts.trace, facts.occupancy, facts.machine),
      facts.memory.sector_bytes);
  const BlockRuns runs = block_runs(facts, flow);
  OpTable table = op_table(facts, templates, load.shares, runs, mapper);
  Built built;
  facts::ModelFacts& out = built.facts;
  out.kernel = facts.program.kernel;
  out.gpu = facts.machine.name;
  out.warp_width = facts.machine.warp_width;
  out.groups = load.groups_total;
  out.warps_per_group = std::max(1U, facts.occupancy.warps_per_group);
  out.concurrent_groups = std::max(1U, load.concurrent_groups);
  out.issue_limit = facts.machine.schedulers_per_sm * facts.machine.issue_per_scheduler;
  add_graphs(facts, templates, table, limits, out, built.notes);
  out.flow = flow_tree(facts, flow, table, runs);
  for (const facts::ModelClass& row : table.mix)
    if (row.kind == facts::ModelClassKind::barrier)
      out.barriers_per_warp += row.count_per_warp;
  out.subsystems = std::move(table.subsystems);
  out.mix = std::move(table.mix);
  out.traffic = table.traffic;
  if (!out.warp_graphs.empty() && static_cast<double>(out.warp_graphs.size()) != out.warps_per_group)
    out.warps_per_group = static_cast<double>(out.warp_graphs.size());
  FOREWARP_TRY(models::check_facts(out, "facts of " + out.kernel));
  return built;
}

} // namespace forewarp::predict::model_facts
