// What attributes of a kernel's function say about its launch.
#pragma once

#include "ir/kernel_module.h"

namespace llvm {
class Function;
}

namespace forewarp::frontend {

/// `nvvm.reqntid`, `nvvm.maxntid`, `nvvm.minctasm`, `nvvm.cluster_dim` (LLVM 21 and later: "128" or "16,8,1")
/// and `amdgpu-flat-work-group-size` ("fewest,most"). The most of the latter is what is required where both
/// are one number, and where MLIR made the module: its code is for that many threads.
void read_launch_attributes(const llvm::Function& function, ir::KernelSignature& signature);

} // namespace forewarp::frontend
