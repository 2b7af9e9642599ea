// A pass at the end of LLVM's AMDGPU back end that writes down what it made.
#pragma once

#include "codegen/amd/amd_code.h"

#include <string>

namespace llvm {
class FunctionPass;
class Function;
} // namespace llvm

namespace forewarp::codegen {

/// Gives every block a name that says its number and every instruction a place whose line is its ordinal,
/// both kept through the back end. Debug information of the source is dropped. Returns the block of each
/// ordinal.
std::vector<std::uint32_t> mark_instructions(llvm::Function& kernel);

/// Fills `blocks` (sized by the caller) with the kernel's machine instructions. The pass manager owns it.
llvm::FunctionPass* create_amd_collector(std::string symbol, std::vector<std::uint32_t> block_of_ordinal,
                                         std::vector<std::vector<AmdInstruction>>& blocks);

} // namespace forewarp::codegen
