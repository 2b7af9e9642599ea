// Facts of the memory sites that the machine program carries.
#pragma once

#include "facts/memory_profile.h"
#include "facts/trace.h"
#include "ir/kernel_module.h"

#include <vector>

namespace forewarp::codegen {

std::vector<facts::MemorySite> memory_sites(const ir::KernelModule& module, const llvm::Function& function);
/// Of the same sites; empty for a kernel that is not in its module.
facts::AtomicKinds atomic_kinds(const ir::KernelModule& module, const ir::KernelSignature& kernel);

} // namespace forewarp::codegen
