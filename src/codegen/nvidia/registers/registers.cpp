#include "codegen/nvidia/registers/registers.h"

#include "codegen/nvidia/registers/pressure_order.h"
#include "codegen/nvidia/registers/sink_loads.h"

#include <algorithm>

namespace forewarp::codegen {

namespace {

unsigned round_down(std::uint64_t value, unsigned unit) {
  return static_cast<unsigned>(value / std::max(1U, unit) * std::max(1U, unit));
}

unsigned unit_per_thread(const gpu::Machine& machine) {
  return std::max(1U, machine.limits.register_alloc_unit / std::max(1U, machine.warp_width));
}

} // namespace

unsigned free_registers(const gpu::Machine& machine) {
  const unsigned threads = std::max(1U, machine.limits.max_threads_per_sm);
  return std::min(round_down(machine.limits.registers_per_sm / threads, unit_per_thread(machine)),
                  machine.limits.max_registers_per_thread);
}

unsigned register_cap(const gpu::Machine& machine, const ir::KernelSignature& kernel,
                      unsigned group_threads) {
  unsigned threads = group_threads;
  if (kernel.max_group_threads)
    threads = *kernel.max_group_threads;
  else if (kernel.required_group_size)
    threads = static_cast<unsigned>(kernel.required_group_size->count());
  unsigned cap = machine.limits.max_registers_per_thread;
  if (threads == 0)
    return cap;
  const unsigned warps = (threads + machine.warp_width - 1) / machine.warp_width;
  const unsigned groups = std::max(1U, kernel.min_groups_per_sm.value_or(1));
  const std::uint64_t share =
      machine.limits.registers_per_sm / (std::uint64_t{warps} * machine.warp_width * groups);
  return std::max(16U, std::min(cap, round_down(share, unit_per_thread(machine))));
}

facts::MachineProgram order_of_least_pressure(const facts::MachineProgram& program, const Liveness& live,
                                              const std::vector<std::uint8_t>& sizes) {
  facts::MachineProgram best = program;
  unsigned least = peak_pressure(program, live, sizes);
  const auto try_order = [&](auto reorder) {
    facts::MachineProgram other = program;
    reorder(other);
    if (const unsigned peak = peak_pressure(other, live, sizes); peak < least) {
      least = peak;
      best = std::move(other);
    }
  };
  try_order([](facts::MachineProgram& p) { sink_loads(p); });
  try_order([](facts::MachineProgram& p) { order_for_pressure(p, LoadOrder::by_user); });
  try_order([](facts::MachineProgram& p) { order_for_pressure(p, LoadOrder::by_address); });
  return best;
}

RegisterEstimate estimate_registers(const facts::MachineProgram& program, const facts::MachineProgram& least,
                                    const Liveness& live, const std::vector<std::uint8_t>& sizes,
                                    const gpu::Machine& machine, unsigned cap) {
  RegisterEstimate estimate;
  estimate.pressure = peak_pressure(least, live, sizes);
  facts::MachineProgram hoisted = program;
  schedule(hoisted, live, sizes, {100'000, machine.compiler.shared_loads_in_flight});
  estimate.hoisted_pressure = peak_pressure(hoisted, live, sizes);
  const unsigned free = free_registers(machine);
  const unsigned hidden_registers = machine.limits.registers_beside_values;
  const unsigned given = estimate.pressure + hidden_registers;
  const unsigned wanted =
      given >= free ? given : std::min(free, std::max(given, estimate.hoisted_pressure + hidden_registers));
  estimate.registers = std::min(wanted, cap);
  estimate.spilled = wanted - estimate.registers;
  return estimate;
}

unsigned allocated_registers(const gpu::Machine& machine, const RegisterEstimate& estimate) {
  const unsigned unit = unit_per_thread(machine);
  return round_down(estimate.registers + estimate.spilled + unit - 1, unit);
}

ScheduleBudget schedule_budget(const gpu::Machine& machine, const RegisterEstimate& estimate, unsigned cap) {
  const unsigned beside = machine.limits.registers_beside_values;
  const unsigned allocated = std::min(cap, allocated_registers(machine, estimate));
  return {std::max(estimate.pressure, std::min(cap, free_registers(machine))),
          machine.compiler.shared_loads_in_flight, allocated - std::min(allocated, beside)};
}

} // namespace forewarp::codegen
