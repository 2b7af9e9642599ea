#include "predict/traced/answer/counts.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace forewarp::predict::hybrid {
namespace {

using OpCounts = std::array<double, facts::op_class_count>;

double flops_of(facts::OpClass op) {
  using facts::OpClass;
  switch (op) {
  case OpClass::fp16_fma:
    return 4;
  case OpClass::fp16_add:
  case OpClass::fp16_mul:
  case OpClass::fp32_fma:
  case OpClass::fp64_fma:
    return 2;
  case OpClass::fp32_add:
  case OpClass::fp32_mul:
  case OpClass::fp64_add:
  case OpClass::fp64_mul:
    return 1;
  default:
    return 0;
  }
}

struct BlockCounts {
  OpCounts ops = {};
  double flops_per_lane = 0;
  double tensor_flops = 0, tensor_peak_operations = 0;
};

std::vector<BlockCounts> count_blocks(const facts::MachineProgram& program) {
  std::vector<BlockCounts> blocks(program.blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b)
    for (const facts::MachineOp& op : program.blocks[b].ops) {
      blocks[b].ops[static_cast<std::size_t>(op.op)] += 1;
      blocks[b].flops_per_lane += flops_of(op.op);
      if (op.tensor.peak_flops > 0) {
        blocks[b].tensor_flops += op.tensor.flops;
        blocks[b].tensor_peak_operations += op.tensor.flops / op.tensor.peak_flops;
      }
    }
  return blocks;
}

struct WarpCounts {
  OpCounts ops = {};
  double flops = 0, tensor_flops = 0, tensor_peak_operations = 0;
};

/// Loads and stores that no lane takes part in are in their unit's queue like the others.
void count_passed(const facts::PassedBody& passed, WarpCounts& counts) {
  counts.ops[static_cast<std::size_t>(facts::OpClass::load_shared)] += passed.accesses;
  counts.ops[static_cast<std::size_t>(facts::OpClass::move)] += passed.operations - passed.accesses;
}

WarpCounts count_warp(const facts::MachineProgram& program, const facts::WarpTrace& warp,
                      const std::vector<BlockCounts>& blocks) {
  std::vector<double> runs(blocks.size(), 0);
  WarpCounts counts;
  for (std::size_t s = 0; s < warp.steps.size(); ++s) {
    const facts::BlockStep& step = warp.steps[s];
    runs[step.block] += 1;
    counts.flops += blocks[step.block].flops_per_lane * std::popcount(step.active);
    if (const facts::PassedBody* passed = facts::bodies_passed(program.blocks[step.block], warp, s))
      count_passed(*passed, counts);
  }
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    if (runs[b] <= 0)
      continue;
    for (std::size_t o = 0; o < counts.ops.size(); ++o)
      counts.ops[o] += runs[b] * blocks[b].ops[o];
    counts.tensor_flops += runs[b] * blocks[b].tensor_flops;
    counts.tensor_peak_operations += runs[b] * blocks[b].tensor_peak_operations;
  }
  return counts;
}

} // namespace

InstructionCounts count(const Facts& facts) {
  const std::vector<BlockCounts> blocks = count_blocks(facts.program);
  const std::size_t units = facts.machine.units.size();
  InstructionCounts total;
  total.unit_mean.assign(units, 0);
  total.unit_longest.assign(units, 0);
  total.unit_shortest.assign(units, std::numeric_limits<double>::max());
  for (const facts::BehaviourClass& behaviour : facts.trace.classes) {
    const facts::GroupTrace& group = facts.trace.groups[behaviour.samples.front()];
    for (const facts::WarpTrace& warp : group.warps) {
      WarpCounts counts = count_warp(facts.program, warp, blocks);
      const double weight = behaviour.weight_groups;
      for (double& ops : counts.ops)
        ops /= warp.recorded_share;
      for (double* of_products : {&counts.flops, &counts.tensor_flops, &counts.tensor_peak_operations})
        *of_products /= warp.recorded_share;
      std::vector<double> by_unit(units, 0);
      for (std::size_t o = 0; o < counts.ops.size(); ++o) {
        total.ops_per_warp[o] += weight * counts.ops[o];
        by_unit[static_cast<std::size_t>(facts.machine.ops[o].unit)] += counts.ops[o];
      }
      for (std::size_t u = 0; u < units; ++u) {
        total.unit_mean[u] += weight * by_unit[u];
        total.unit_shortest[u] = std::min(total.unit_shortest[u], by_unit[u]);
        total.unit_longest[u] = std::max(total.unit_longest[u], by_unit[u]);
      }
      total.ir_per_warp += weight * static_cast<double>(warp.ir_instructions);
      total.flops += weight * counts.flops;
      total.tensor_flops += weight * counts.tensor_flops;
      total.tensor_peak_operations += weight * counts.tensor_peak_operations;
      total.warps += weight;
    }
  }
  const double warps = std::max(total.warps, 1e-9);
  for (double& ops : total.ops_per_warp) {
    ops /= warps;
    total.per_warp += ops;
  }
  for (std::size_t u = 0; u < units; ++u)
    total.unit_mean[u] /= warps;
  total.ir_per_warp /= warps;
  return total;
}

} // namespace forewarp::predict::hybrid
