#pragma once

#include "ir/kernel_module.h"
#include "support/result.h"

#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
}

namespace forewarp::frontend {

/// Registers the NVPTX and AMDGPU back ends (and X86's description, for host halves) once.
void register_targets();

/// "sm_75", "gfx90a": known to LLVM for this family?
Result<void> check_processor(ir::TargetFamily family, const std::string& processor);

/// Null where LLVM has no such target.
std::unique_ptr<llvm::TargetMachine>
make_target_machine(const llvm::Module& module, const std::string& processor, const std::string& features);
const char* triple_of(ir::TargetFamily family);
/// Single-precision denormals count as zero unless asked otherwise: GCN before gfx9 multiplies and adds at
/// full rate only then, and Clang's driver compiles for it so.
bool flushes_denormals(ir::TargetFamily family, const std::string& processor);
std::string features_of(ir::TargetFamily family, const std::string& processor, unsigned warp_width);

} // namespace forewarp::frontend
