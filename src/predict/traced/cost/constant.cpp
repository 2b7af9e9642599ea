// The constant cache: a word of 4 bytes a pass, one for all lanes that ask for the same (CUDA C++ Programming
// Guide, constant memory; 8 bytes and more take as many passes: no wider path is documented). Each pass is a
// request of its own to the pipe in front of it.
#include "predict/traced/cost/access.h"

#include <algorithm>

namespace forewarp::predict::hybrid {

Cost constant_cost(const Access& access, const gpu::Machine& machine) {
  const gpu::MemoryTiming& memory = machine.memory;
  const double transactions = access.transactions();
  const double misses = std::min(1.0F, access.outcome.l2_sectors);
  Cost cost;
  const double passes = transactions * std::max(1.0, access.width_bytes * access.share() / 4.0);
  cost.pipe_cycles = passes * std::max(request_cycles(machine, access.op), memory.lsu_cycles_per_transaction);
  cost.latency_cycles = memory.constant_latency_cycles + (passes - 1) +
                        misses * (memory.constant_miss_latency_cycles - memory.constant_latency_cycles);
  if (memory.replay_cycles > 0)
    cost.hold_cycles = static_cast<float>(misses * memory.constant_miss_latency_cycles);
  return cost;
}

} // namespace forewarp::predict::hybrid
