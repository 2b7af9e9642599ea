// Bytes of AMD machine code -> instructions, by LLVM's own disassembler.
#pragma once

#include "amdgcn/program.h"

namespace forewarp::amdgcn {

/// `wave_size` is 32 or 64. What cannot be read becomes an instruction ".long". Errors: unsupported (a target
/// that LLVM does not know).
Result<std::vector<Instruction>> disassemble(std::span<const std::uint8_t> code, const std::string& target,
                                             unsigned wave_size);

} // namespace forewarp::amdgcn
