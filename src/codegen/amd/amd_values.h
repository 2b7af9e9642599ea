// Registers of machine code -> values, each written once, with aliases where control flow joins.
#pragma once

#include "facts/machine_program.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace forewarp::codegen {

/// An operation of a block with the register units that it reads and writes.
struct RegisterUse {
  facts::MachineOp op;
  llvm::SmallVector<std::uint32_t, 6> reads, writes;
};

/// Fills sources and destinations of the operations, `program.blocks[b].ops`, the blocks' phi aliases and
/// `program.value_count`. Of more sources than an operation holds, those made by loads come first.
void number_values(const llvm::Function& function, const std::vector<std::vector<RegisterUse>>& blocks,
                   facts::MachineProgram& program);

} // namespace forewarp::codegen
