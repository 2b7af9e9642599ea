// A kernel as an object file of LLVM's AMDGPU back end, for a linker to make a code object of.
#pragma once

#include "ir/kernel_module.h"

#include <string>

namespace forewarp::corpus {

/// Errors: unsupported (a function that the back end would take from a library, by its count).
Result<std::string> amd_object(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                               const std::string& target);

} // namespace forewarp::corpus
