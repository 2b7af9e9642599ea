// Calls through pointers: function pointers, virtual functions. Nothing on a GPU's compiler says where they
// lead to; the functions of that type whose address is taken do.
#pragma once

#include "ir/kernel_module.h"

#include <vector>

namespace llvm {
class Module;
}

namespace forewarp::frontend::lowering {

/// Turns each call through a pointer into comparisons with the functions that it may lead to (defined here,
/// of the call's type, with their address taken) and direct calls; the last needs no comparison. A function
/// that leads back to the caller is left out of them. Calls that no function fits stay as they are. Not
/// modelled: that the real call saves registers.
void resolve_pointer_calls(llvm::Module& module);

/// Numbers in the place of the functions' addresses that are left, once nothing is inlined any more. The note
/// says which functions kernels compare with; none where all calls were settled by the compiler.
std::vector<facts::Note> number_functions(ir::KernelModule& module);

} // namespace forewarp::frontend::lowering
