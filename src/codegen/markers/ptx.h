// PTX text of a kernel, made in process by LLVM's own back end.
#pragma once

#include "ir/kernel_module.h"
#include "support/result.h"

#include <string>

namespace forewarp::codegen {

enum class PtxPasses {
  all,           ///< as LLVM compiles
  selection_only ///< no pass that moves, joins or rewrites code before or after instruction selection
};

/// PTX for `target` ("sm_75"), in the lowest PTX version that the target allows. The module is not changed.
/// Errors (unsupported): an AMD module; a function that PTX has no instruction for, by name.
Result<std::string> emit_ptx(const ir::KernelModule& module, const ir::KernelSignature& kernel,
                             const std::string& target, PtxPasses chosen = PtxPasses::all);

} // namespace forewarp::codegen
