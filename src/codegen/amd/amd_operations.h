// The back end's machine code as the operations of a machine program.
#pragma once

#include "codegen/amd/amd_code.h"
#include "codegen/amd/amd_sites.h"
#include "gpu/machine.h"

#include <llvm/IR/Function.h>

namespace forewarp::codegen {

/// Replaces the operations, phi aliases and values of `program` (whose sites and block counts stand) by those
/// of `code`. A memory instruction carries the site of the IR instruction that it was made from and stands in
/// that one's block; where the back end joined several accesses the first site carries the operation, and
/// both do for an LDS instruction of two addresses.
void use_amd_code(const AmdCode& code, const ir::KernelModule& module, const llvm::Function& function,
                  const gpu::Machine& machine, facts::MachineProgram& program);

/// The same for instructions that stand in their blocks already.
void use_placed_code(const std::vector<std::vector<AmdPlaced>>& placed, const ir::KernelModule& module,
                     const llvm::Function& function, const gpu::Machine& machine,
                     facts::MachineProgram& program);

} // namespace forewarp::codegen
