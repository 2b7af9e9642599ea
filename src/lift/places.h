// Which instruction of the machine code a piece of lifted IR stands for.
#pragma once

#include <llvm/IR/Instructions.h>

#include <cstdint>

namespace forewarp::lift {

inline constexpr const char* place_metadata = "forewarp.machine_code";

void set_block_place(llvm::Instruction& terminator, std::uint32_t first, std::uint32_t end);
void set_access_place(llvm::Instruction& access, std::uint32_t index);

} // namespace forewarp::lift
