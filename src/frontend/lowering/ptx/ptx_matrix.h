// Matrix products of inline PTX (mma.sync) as LLVM's intrinsics.
#pragma once

#include "frontend/lowering/ptx/ptx_statement.h"

namespace forewarp::frontend::lowering {

/// "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {d...}, {a...}, {b...}, {c...}" of whatever shape and
/// types LLVM knows. False: it does not.
bool expand_ptx_mma(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement);

} // namespace forewarp::frontend::lowering
