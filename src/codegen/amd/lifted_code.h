// A lifted code object as the operations of a machine program: its instructions themselves, with the
// compiler's own registers.
#pragma once

#include "facts/machine_program.h"
#include "gpu/machine.h"
#include "ir/kernel_module.h"
#include "support/result.h"

namespace llvm {
class Function;
}

namespace forewarp::codegen {

/// Fills blocks, values and resources; `program.sites` are there already. Blocks and sites are ir::number's.
Result<void> use_lifted_code(const ir::KernelModule& module, const llvm::Function& function,
                             const gpu::Machine& machine, facts::MachineProgram& program);

} // namespace forewarp::codegen
