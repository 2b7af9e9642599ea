// Registers per thread, estimated from the machine program.
#pragma once

#include "codegen/nvidia/registers/pressure.h"
#include "codegen/nvidia/registers/schedule.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"

namespace forewarp::codegen {

/// Registers that cost no occupancy: regs_per_sm / max_threads_per_sm, rounded down to the allocation unit of
/// a thread.
unsigned free_registers(const gpu::Machine& machine);

/// What launch bounds (or a known group size) leave to a thread.
unsigned register_cap(const gpu::Machine& machine, const ir::KernelSignature& kernel, unsigned group_threads);

/// The order of operations that holds fewest registers: the given one, loads sunk to their uses, or by user
/// or address. Where the given order holds more than it must, the assembler schedules down before it spills.
facts::MachineProgram order_of_least_pressure(const facts::MachineProgram& program, const Liveness& live,
                                              const std::vector<std::uint8_t>& sizes);

struct RegisterEstimate {
  unsigned registers = 0; ///< after the cap
  unsigned spilled = 0;   ///< registers above the cap
  unsigned pressure = 0, hoisted_pressure = 0;
};

/// The assembler hoists loads until it reaches the free registers and schedules down to stay below them.
/// With P the peak pressure in the given order and P' after hoisting every load: P + c where that is at least
/// the free registers, else min(free, P' + c). Not modelled: register banks, alignment of wide values.
/// `least` is the order of least pressure.
RegisterEstimate estimate_registers(const facts::MachineProgram& program, const facts::MachineProgram& least,
                                    const Liveness& live, const std::vector<std::uint8_t>& sizes,
                                    const gpu::Machine& machine, unsigned cap);

/// What a thread is given: whole units of allocation. Spilled ones are counted as if they were given.
unsigned allocated_registers(const gpu::Machine& machine, const RegisterEstimate& estimate);

/// What the assembler's order of operations may hold.
ScheduleBudget schedule_budget(const gpu::Machine& machine, const RegisterEstimate& estimate, unsigned cap);

} // namespace forewarp::codegen
