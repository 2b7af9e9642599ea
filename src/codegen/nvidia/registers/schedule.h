// Order of operations inside a block, as a list scheduler makes it: loads early and independent arithmetic
// between dependent, within a register budget.
#pragma once

#include "codegen/nvidia/registers/pressure.h"
#include "gpu/machine.h"

namespace forewarp::codegen {

/// Registers that may be live.
struct ScheduleBudget {
  unsigned all = 0;
  unsigned shared_in_flight = 32; ///< of them loaded from shared memory ahead of use
  unsigned given = 0; ///< more than `all`: where addresses need more, what a thread is given anyway
};

/// Reorders every block. In each stretch without barrier, fence or branch, loads and what their addresses
/// need come first as long as no more than `budget` allows are live; memory operations keep their order
/// behind stores of the same memory. With a `machine`, an operation whose operands or unit are not ready
/// yet lets later ones go first that are, again within the budget; without one, what is no load keeps the
/// program's order. Deterministic. Not modelled: the critical path, which decides among ready operations in
/// the assembler.
void schedule(facts::MachineProgram& program, const Liveness& live, const std::vector<std::uint8_t>& sizes,
              const ScheduleBudget& budget, const gpu::Machine* machine = nullptr);

} // namespace forewarp::codegen
