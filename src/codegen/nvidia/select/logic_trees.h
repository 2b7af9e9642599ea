// Which bitwise operations are no instruction of their own: LOP3 computes any function of three registers.
#pragma once

#include <llvm/ADT/DenseSet.h>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace forewarp::codegen {

/// And, or and xor of scalar integers that every user computes itself, from at most three values beside its
/// constants of all ones or zeros (ptxas 13.0: an operation of several users is made again in each of them).
llvm::DenseSet<const llvm::Instruction*> logic_taken_in(const llvm::Function& function);

} // namespace forewarp::codegen
