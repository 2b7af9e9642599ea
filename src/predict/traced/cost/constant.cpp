// The constant cache: a pass each distinct word.
#include "predict/traced/cost/access.h"

#include <algorithm>

namespace forewarp::predict::hybrid {

Cost constant_cost(const Access& access, const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double transactions = access.transactions();
  const double misses = std::min(1.0F, access.outcome.l2_sectors);
  Cost cost;
  cost.pipe_cycles =
      std::max(request_cycles(machine, access.op), transactions * memory.lsu_cycles_per_transaction);
  cost.latency_cycles = memory.constant_latency_cycles + (transactions - 1) +
                        misses * (memory.constant_miss_latency_cycles - memory.constant_latency_cycles);
  if (memory.replay_cycles > 0)
    cost.hold_cycles = static_cast<float>(misses * memory.constant_miss_latency_cycles);
  return cost;
}

} // namespace forewarp::predict::hybrid
