// Facts of the memory sites that the machine program carries.
#pragma once

#include "facts/trace.h"
#include "ir/kernel_module.h"

#include <vector>

namespace forewarp::codegen {

std::vector<facts::MemorySite> memory_sites(const ir::KernelModule& module, const llvm::Function& function);

} // namespace forewarp::codegen
