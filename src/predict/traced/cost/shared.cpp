// Shared memory: a pass through the banks each transaction.
#include "predict/traced/cost/access.h"

#include <algorithm>
#include <bit>

namespace forewarp::predict::hybrid {
namespace {

using facts::OpClass;

/// One pass through all banks, at the rate that the SM moves shared-memory data.
double pass_cycles(const gpu::MemoryTiming& memory) {
  return memory.shared_banks * memory.shared_bank_bytes / memory.shared_bytes_per_cycle_per_sm;
}

/// After the operation, as the code itself says: global accesses are waited for anyway.
double stall_cycles(const gpu::MemoryTiming& memory, OpClass op) {
  if (op == OpClass::store_shared)
    return memory.shared_store_stall_cycles;
  return op == OpClass::load_shared ? memory.shared_load_stall_cycles : 0;
}

/// Lanes whose words lie in another group of the cluster go over the network between SMs, and leave by the
/// port that L2 is asked through. NOT modelled: what others ask of this SM's shared memory.
void add_way_to_others(const Access& access, const gpu::MemoryTiming& memory, Cost& cost) {
  const float lanes_of = access.outcome.other_group_share * static_cast<float>(std::popcount(access.active));
  if (lanes_of <= 0 || memory.cluster_bytes_per_cycle <= 0)
    return;
  const double bytes = lanes_of * access.width_bytes * access.share();
  cost.server_cycles[l1_to_l2_port] += static_cast<float>(bytes / memory.cluster_bytes_per_cycle);
  cost.latency_cycles += std::max(0.0, memory.cluster_latency_cycles - memory.shared_latency_cycles);
}

} // namespace

Cost shared_cost(const Access& access, const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double transactions = access.transactions();
  Cost cost;
  cost.pipe_cycles = std::max(request_cycles(machine, access.op), transactions * pass_cycles(memory));
  cost.hold_cycles = transactions > 1 ? static_cast<float>(transactions * memory.replay_cycles) : 0;
  cost.latency_cycles = memory.shared_latency_cycles +
                        std::max<double>(cost.hold_cycles, (transactions - 1) * pass_cycles(memory));
  cost.hold_cycles = std::max(cost.hold_cycles, static_cast<float>(stall_cycles(memory, access.op)));
  add_way_to_others(access, memory, cost);
  return cost;
}

/// Lanes on one address go one after the other.
Cost shared_atomic_cost(const Access& access, const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double transactions = access.transactions();
  const double request = request_cycles(machine, access.op);
  Cost cost;
  cost.pipe_cycles = std::max(std::max(request, transactions * memory.lsu_cycles_per_transaction),
                              request + (transactions - 1) * memory.atomic_shared_same_address_cycles);
  cost.latency_cycles =
      memory.shared_latency_cycles + transactions * memory.atomic_shared_same_address_cycles;
  add_way_to_others(access, memory, cost);
  return cost;
}

/// An attempt is a load, the operation, a compare-and-swap, a comparison and a branch, each of which waits
/// for the one before (code of ptxas 13.0 for sm_75 to sm_100).
Cost retried_atomic_cost(const Access& access, const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double attempts = access.outcome.attempts;
  const OpClass operation = !access.outcome.tries_floats ? OpClass::int_add
                            : access.width_bytes > 4     ? OpClass::fp64_add
                                                         : OpClass::fp32_add;
  const gpu::OpTiming& timing = machine.timing(operation);
  const double requests =
      request_cycles(machine, OpClass::load_shared) + request_cycles(machine, OpClass::atomic_shared);
  Cost cost;
  cost.pipe_cycles = std::max(
      {attempts * requests, 2 * access.transactions() * pass_cycles(memory), attempts * timing.issue_cycles});
  cost.latency_cycles =
      attempts * (2 * memory.shared_latency_cycles + timing.latency_cycles +
                  machine.fixed.predicate_latency_cycles + machine.timing(OpClass::branch).latency_cycles);
  cost.hold_cycles = static_cast<float>(cost.latency_cycles); // nothing goes past the loop
  return cost;
}

} // namespace forewarp::predict::hybrid
