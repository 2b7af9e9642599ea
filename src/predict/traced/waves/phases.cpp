#include "predict/traced/waves/phases.h"

#include "facts/busy_front.h"

#include <algorithm>

namespace forewarp::predict::hybrid {
namespace {

void add(std::vector<double>& sum, const std::vector<double>& part, double factor) {
  sum.resize(std::max(sum.size(), part.size()), 0);
  for (std::size_t i = 0; i < part.size(); ++i)
    sum[i] += factor * part[i];
}

void add(pipeline::Outcome& sum, const pipeline::Outcome& part, double factor) {
  sum.cycles += factor * part.cycles;
  sum.instructions += factor * part.instructions;
  sum.issue_slots_used += factor * part.issue_slots_used;
  sum.warp_resident_cycles += factor * part.warp_resident_cycles;
  add(sum.subsystem_busy_cycles, part.subsystem_busy_cycles, factor);
  add(sum.subsystem_instructions, part.subsystem_instructions, factor);
  add(sum.subsystem_stall_cycles, part.subsystem_stall_cycles, factor);
  add(sum.server_busy_cycles, part.server_busy_cycles, factor);
  add(sum.server_wait_cycles, part.server_wait_cycles, factor);
  add(sum.tag_stall_cycles, part.tag_stall_cycles, factor);
  add(sum.tag_issue_cycles, part.tag_issue_cycles, factor);
  for (std::size_t i = 0; i < part.stall_cycles.size(); ++i)
    sum.stall_cycles[i] += factor * part.stall_cycles[i];
}

} // namespace

std::vector<Phase> phases_of(const facts::KernelTrace& trace) {
  const auto all = static_cast<double>(trace.shape.groups.count());
  const std::optional<facts::BusyFront> front = facts::busy_front(trace);
  if (!front)
    return {{all, trace.classes}};
  const auto busy = static_cast<double>(front->busy_groups());
  std::vector<Phase> phases = {{busy, {}}, {all - busy, {}}};
  for (const facts::BehaviourClass& behaviour : trace.classes) {
    const facts::GroupTrace& sample = trace.groups[behaviour.samples.front()];
    const bool is_busy = facts::linear_index(trace.shape.groups, sample) <= front->last_busy;
    phases[is_busy ? 0 : 1].classes.push_back(behaviour);
  }
  return phases;
}

SmRun joined(const SmRun& first, const SmRun& second) {
  SmRun run;
  run.cycles = first.cycles + second.cycles;
  run.simulated_cycles = first.simulated_cycles + second.simulated_cycles;
  run.longest = first.longest;
  run.resident_warps = (first.resident_warps * first.cycles + second.resident_warps * second.cycles) /
                       std::max(run.cycles, 1.0);
  run.tag_locations = first.tag_locations;
  run.outcome.subsystem_instances = first.outcome.subsystem_instances;
  add(run.outcome, first.outcome, 1 / first.simulated_share);
  add(run.outcome, second.outcome, 1 / second.simulated_share);
  run.tag_stall_cycles = run.outcome.tag_stall_cycles;
  return run;
}

} // namespace forewarp::predict::hybrid
