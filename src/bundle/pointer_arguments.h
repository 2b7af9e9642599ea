// `local` and `constant` pointers of OpenCL as a CUDA driver can launch them: it has addresses of global
// memory only.
#pragma once

#include "ir/kernel_module.h"
#include "support/result.h"

namespace forewarp::bundle {

/// Each `local` pointer parameter becomes an offset (64 bits) into the kernel's dynamic shared memory.
void lower_shared_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel);

/// Each `constant` pointer parameter becomes a pointer to global memory, so that its loads miss the constant
/// cache. Errors: unsupported (a use other than addressing and loading).
Result<void> lower_constant_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel);

} // namespace forewarp::bundle
