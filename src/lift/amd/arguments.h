// A kernel's arguments: their types, and the loads of code that read them.
#pragma once

#include "amdgcn/program.h"
#include "ir/kernel_module.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>

#include <vector>

namespace forewarp::lift::amd {

/// Where the lifted code believes its arguments to lie; no buffer lies there.
inline constexpr std::uint64_t arguments_address = 0x7A00'0000'0000;

/// Those that a launch gives, in order.
std::vector<amdgcn::Argument> explicit_arguments(const amdgcn::Kernel& kernel);

/// `source`: signatures of the source; may be empty.
ir::KernelSignature signature_of(const amdgcn::Kernel& kernel,
                                 const std::vector<ir::KernelSignature>& source);

/// Replaces loads from the arguments' addresses by the function's parameters and by what the runtime adds.
/// `local_data`: the group's LDS, whose dynamic part a parameter may point to. Error unsupported: a hidden
/// argument that is not modelled.
Result<void> resolve_arguments(llvm::Function& function, const amdgcn::Kernel& kernel,
                               llvm::GlobalVariable& local_data);

} // namespace forewarp::lift::amd
