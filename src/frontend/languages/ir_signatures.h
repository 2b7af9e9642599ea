// Kernel signatures of a module that comes without source: metadata first, then what uses tell.
#pragma once

#include "ir/kernel_module.h"

namespace llvm {
class Module;
}

namespace forewarp::frontend {

/// One signature a kernel (calling convention or nvvm.annotations), in the module's order.
std::vector<ir::KernelSignature> signatures_of(const llvm::Module& module);

} // namespace forewarp::frontend
