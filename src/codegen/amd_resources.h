// Registers, LDS and scratch of a kernel as LLVM's AMDGPU back end allocates them.
#pragma once

#include "facts/machine_program.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <string>

namespace forewarp::codegen {

/// Runs the back end on a copy of the module and reads its kernel-resource-usage remarks: VGPRs (with AGPRs),
/// SGPRs, scratch bytes, LDS bytes. Errors (unsupported): a call that the back end cannot lower, by name.
Result<facts::ResourceUse> amd_resources(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                                         const std::string& target);

} // namespace forewarp::codegen
