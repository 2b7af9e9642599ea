// Products of a warp that LLVM 19 has no intrinsic for, as markers (ir/builtins.h).
#pragma once

#include "frontend/ptx/expansion.h"

namespace forewarp::frontend::ptx {

/// mma.sync of factors of 8 bits and less that are floats, with block scales, and sparse ones (mma.sp).
/// False: not of these forms, or, with a refusal, of operands that do not fit.
bool expand_marked_product(Expansion& e, const Statement& s);

} // namespace forewarp::frontend::ptx
