// The level at which a region's operations are counted, and the level at which its CPU time is measured.
#pragma once

#include "support/result.h"

#include <llvm/IR/Module.h>

#include <vector>

namespace forewarp::port {

/// Scalar optimisation that a device compiler does too and that keeps the source's loops: promotion to
/// registers, inlining, common expressions, invariants, widened induction variables, rotated loops. No
/// unrolling, unswitching, vectorising, fusion or loop idioms.
void optimise_for_counting(llvm::Module& module);

/// Takes away all functions that none of `roots` calls, in C++ most of what headers bring.
void keep_reached(llvm::Module& module, const std::vector<llvm::Function*>& roots);

/// LLVM's -O2, as the program's own build would have it (generic processor of the machine's family).
void optimise_for_timing(llvm::Module& module);

/// Object code of `module` for this machine. Errors: unsupported (no code generator for it).
Result<std::string> object_code(llvm::Module& module);

} // namespace forewarp::port
