#include "formula/cost_table.h"

#include "ir/loops/control_flow.h"

#include "gpu/dram_rates.h"
#include "memory/l1/spills.h"
#include "predict/published/memory_mapper.h"
#include "predict/traced/waves/sm_run.h"

#include <algorithm>
#include <cmath>

namespace forewarp::formula {
namespace {

namespace hybrid = predict::hybrid;
namespace model_facts = predict::model_facts;

/// What the builders read of a run, without one: sizes, and accesses of which nothing is known.
struct NoRun {
  facts::KernelTrace trace;
  facts::MemoryProfile memory;
  hybrid::Facts facts;

  NoRun(const engine::Target& target, double groups)
      : facts{*target.machine, *target.program, trace, memory, target.occupancy} {
    trace.warp_width = target.machine->warp_width;
    trace.shape = target.shape;
    trace.shape.groups = {static_cast<std::uint64_t>(groups), 1, 1};
    memory.sector_bytes = target.machine->memory.l1.sector_bytes;
    for (std::uint32_t s = 0; s < target.program->sites.size(); ++s)
      memory.sites.push_back({.site = s});
  }
  NoRun(const NoRun&) = delete;
  NoRun& operator=(const NoRun&) = delete;

  hybrid::StreamTemplates templates(const engine::Target& target, const hybrid::SmLoad& load) const {
    return {*target.program, *target.machine, load.shares,
            memory::frame_sharing(*target.program, trace, target.occupancy, *target.machine),
            memory.sector_bytes};
  }
};

/// W Eq. 8: local parallelism of each block, weighted by what runs.
double mean_ilp(const model_facts::StaticGraph& graph, const std::vector<double>& runs) {
  double sum = 0, weights = 0;
  for (std::size_t b = 0; b < runs.size(); ++b) {
    const double weight = runs[b] * static_cast<double>(graph.first[b + 1] - graph.first[b]);
    sum += weight * models::ilp_of(graph.graph, graph.first[b], graph.first[b + 1]);
    weights += weight;
  }
  return weights > 0 ? sum / weights : 1;
}

} // namespace

CostTable cost_table(const engine::Target& target) {
  const NoRun run(target, 1);
  const hybrid::SmLoad load = hybrid::spread(run.facts);
  const hybrid::StreamTemplates templates = run.templates(target, load);
  model_facts::BlockRuns once;
  once.per_warp.assign(target.program->blocks.size(), 1);
  // The pipe's own time with unlimited bandwidth, and the bytes from a bandwidth that outweighs every pipe.
  constexpr double unlimited = 1e30, small = 1e-9;
  const auto table_at = [&](double bytes_per_cycle) {
    hybrid::BandwidthShares shares = load.shares;
    shares.dram_read_bytes_per_cycle = shares.dram_write_bytes_per_cycle = bytes_per_cycle;
    return model_facts::op_table(run.facts, templates, shares, once,
                                 model_facts::Mapper::context_independent);
  };
  const model_facts::OpTable fast = table_at(unlimited), slow = table_at(small);
  CostTable out;
  out.subsystems = fast.subsystems;
  out.mix.mix = fast.mix;
  out.graph = model_facts::static_graph(*target.program, fast);
  const gpu::Machine& machine = *target.machine;
  for (std::uint32_t b = 0; b < target.program->blocks.size(); ++b) {
    std::vector<OperationCost>& costs = out.blocks.emplace_back();
    const std::vector<facts::MachineOp>& ops = target.program->blocks[b].ops;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      const model_facts::OpRow& row = fast.blocks[b][i];
      const facts::ModelClass& kind = fast.mix[row.mix_class];
      OperationCost cost{.kind = kind.kind,
                         .waited = kind.waited,
                         .pipe_cycles = row.lambda_cycles,
                         .latency_cycles = row.latency_cycles,
                         .subsystem = kind.subsystem};
      const double bytes = slow.blocks[b][i].lambda_cycles * small;
      if (slow.blocks[b][i].lambda_cycles > row.lambda_cycles * (1 + 1e-9))
        cost.dram_bytes = bytes;
      if (ops[i].site != facts::no_value)
        cost.store = target.program->sites[ops[i].site].kind == facts::AccessKind::store;
      const gpu::OpTiming& timing = machine.timing(ops[i].op);
      cost.unit = static_cast<int>(timing.unit);
      cost.second_unit = kind.kind == facts::ModelClassKind::memory ? -1 : timing.second_unit;
      cost.unit_cycles = templates.block(b)[i].instruction.lambda_cycles;
      costs.push_back(cost);
    }
  }
  const gpu::DramRates dram = gpu::dram_rates(machine.memory, 0, 0);
  const double bytes_per_cycle_per_gbps = 1e9 / (machine.sm_clock_mhz * 1e6);
  out.read_bytes_per_cycle = dram.read_gbps * bytes_per_cycle_per_gbps;
  out.write_bytes_per_cycle = dram.write_gbps * bytes_per_cycle_per_gbps;
  return out;
}

facts::ModelFacts facts_of(const engine::Target& target, const Counts& counts) {
  const NoRun run(target, counts.groups);
  const hybrid::SmLoad load = hybrid::spread(run.facts);
  const hybrid::StreamTemplates templates = run.templates(target, load);
  facts::ModelFacts out;
  out.kernel = target.program->kernel;
  out.gpu = target.machine->name;
  out.warp_width = target.machine->warp_width;
  out.groups = counts.groups;
  out.warps_per_group = std::max(1U, target.occupancy.warps_per_group);
  out.concurrent_groups = std::max(1U, load.concurrent_groups);
  out.issue_limit = target.machine->schedulers_per_sm * target.machine->issue_per_scheduler;
  model_facts::BlockRuns runs;
  const double warps = counts.groups * out.warps_per_group;
  for (const double block : counts.blocks)
    runs.per_warp.push_back(block / warps);
  for (const auto& [edge, value] : counts.edges)
    runs.edges[edge] = value / warps;
  model_facts::OpTable table = model_facts::op_table(run.facts, templates, load.shares, runs,
                                                     model_facts::Mapper::context_independent);
  const facts::ControlFlow flow = ir::control_flow(target.compiled->module, *target.compiled->kernel);
  out.flow = model_facts::flow_tree(run.facts, flow, table, runs);
  out.ilp = mean_ilp(model_facts::static_graph(*target.program, table), runs.per_warp);
  for (const facts::ModelClass& row : table.mix)
    if (row.kind == facts::ModelClassKind::barrier)
      out.barriers_per_warp += row.count_per_warp;
  out.subsystems = std::move(table.subsystems);
  out.mix = std::move(table.mix);
  out.traffic = table.traffic;
  return out;
}

} // namespace forewarp::formula
