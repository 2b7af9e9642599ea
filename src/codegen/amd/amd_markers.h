// The markers of ir/builtins.h and library functions, as far as LLVM's AMDGPU back end needs them expanded.
#pragma once

#include "support/result.h"

namespace llvm {
class Module;
}

namespace forewarp::codegen {

/// Sizes become loads of implicit kernel arguments. A function that the back end would call in a library or
/// does not know becomes one opaque instruction (inline assembly) of the same operands: its operations come
/// from the table of math operations. Returns how many. Errors (unsupported): a marker with memory or
/// barriers of its own, by name.
Result<unsigned> expand_markers_amdgpu(llvm::Module& module);

} // namespace forewarp::codegen
