// Markers of ir/builtins.h replaced by what a back end knows, in a clone of the module.
#pragma once

#include "support/result.h"

namespace llvm {
class Module;
class Function;
} // namespace llvm

namespace forewarp::codegen {

/// Work-item and warp markers become target intrinsics; what has no lowering is an error that names it.
Result<void> expand_markers_nvptx(llvm::Module& module);

/// First called function that the NVPTX back end cannot select, as an error; success when there is none.
/// (Selection of an unknown intrinsic ends the process: it has to be looked for before.)
Result<void> check_selectable_nvptx(const llvm::Function& kernel);

} // namespace forewarp::codegen
