#include "port/methods/bound_rates.h"

namespace forewarp::port {
namespace {

/// Operations of threads in a cycle of the whole GPU.
double operations_per_cycle(const gpu::Machine& machine, facts::OpClass op) {
  const gpu::OpTiming& timing = machine.timing(op);
  const bool each = machine.units[static_cast<std::size_t>(timing.unit)].per_scheduler;
  return machine.warp_width / timing.issue_cycles * machine.sm_count * (each ? machine.schedulers_per_sm : 1);
}

} // namespace

learn::BoundRates bound_rates(const gpu::Machine& machine) {
  const double cycles_per_ms = machine.sm_clock_mhz * 1e3, bytes_per_ms_of_gbps = 1e6;
  learn::BoundRates rates;
  rates.dram_bytes_per_ms = machine.memory.dram_read_gbps * bytes_per_ms_of_gbps;
  rates.cache_bytes_per_ms = machine.memory.l1_bytes_per_cycle_per_sm * machine.sm_count * cycles_per_ms;
  rates.single_per_ms = operations_per_cycle(machine, facts::OpClass::fp32_fma) * cycles_per_ms;
  rates.twice_per_ms = operations_per_cycle(machine, facts::OpClass::fp64_fma) * cycles_per_ms;
  rates.instructions_per_ms = machine.warp_width * machine.issue_per_scheduler * machine.schedulers_per_sm *
                              machine.sm_count * cycles_per_ms;
  rates.load_ms = machine.memory.l2_latency_cycles / cycles_per_ms;
  rates.host_ms = machine.fixed.launch_overhead_us / 1e3;
  rates.threads = static_cast<double>(machine.limits.max_threads_per_sm) * machine.sm_count;
  return rates;
}

} // namespace forewarp::port
