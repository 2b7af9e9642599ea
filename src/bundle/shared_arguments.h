// `local` pointers of OpenCL as a CUDA driver can launch them: shared memory that is given at launch.
#pragma once

#include "ir/kernel_module.h"

namespace forewarp::bundle {

/// Each `local` pointer parameter becomes an offset (64 bits) into the kernel's dynamic shared memory: a
/// driver has no addresses of shared memory to pass.
void lower_shared_arguments(const ir::KernelModule& module, const ir::KernelSignature& kernel);

} // namespace forewarp::bundle
