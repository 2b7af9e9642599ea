// Divisions as LLVM's AMDGPU back end made them until release 16.
#pragma once

#include <llvm/IR/Function.h>

namespace forewarp::codegen {

/// The asm text that keeps a divisor where it is; it stands for no instruction.
inline constexpr const char* divisor_stays = "; divisor";

/// LLVM 19's back end takes what a division by an unchanged integer needs (the reciprocal and its
/// correction) out of loops; in 14 to 16 each division has its own. This hides uniform divisors from that.
void keep_reciprocals_in_place(llvm::Function& function);

} // namespace forewarp::codegen
