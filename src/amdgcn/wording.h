// An instruction as LLVM words it -> mnemonic, operands, modifiers.
#pragma once

#include "amdgcn/program.h"

namespace forewarp::amdgcn {

/// Fills mnemonic, encoding, operands and modifiers from `text`.
void read_wording(Instruction& instruction);

} // namespace forewarp::amdgcn
