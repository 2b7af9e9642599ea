// Which memory site of the IR a machine instruction stands for.
#pragma once

#include "codegen/amd/amd_code.h"

#include <llvm/IR/Function.h>

#include <vector>

namespace forewarp::codegen {

/// A machine instruction with the sites that it carries.
struct AmdPlaced {
  const AmdInstruction* instruction = nullptr;
  const llvm::Instruction* origin = nullptr; ///< null: not known
  std::uint32_t site = facts::no_value;
  std::uint32_t second_site = facts::no_value; ///< LDS instructions of two addresses
  std::uint16_t parts = 1;                     ///< instructions that carry the site
  facts::SourceLocation location = {};         ///< of one without origin; line 0: not known
};

/// By IR block, in order. Accesses that the back end moved stand in their site's block again, where the trace
/// has their events.
std::vector<std::vector<AmdPlaced>> place_amd_code(const AmdCode& code, const llvm::Function& function,
                                                   const std::vector<facts::MemorySite>& sites);

} // namespace forewarp::codegen
