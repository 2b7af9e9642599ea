// Products of a warp group (wgmma) in inline PTX, as markers (ir/builtins.h).
#pragma once

#include "frontend/lowering/ptx/ptx_statement.h"

namespace forewarp::frontend::lowering {

/// wgmma.mma_async of any shape and types, its first factor in registers or behind a descriptor; wgmma.fence,
/// commit_group and wait_group. `outputs`: names of the assembly's results, whose floats a wait holds back.
/// False: another form. Not modelled: sparse products; waits for sums of integers.
bool expand_ptx_warpgroup(llvm::IRBuilder<>& builder, PtxRegisters& registers, const PtxStatement& statement,
                          const std::vector<std::string>& outputs);

} // namespace forewarp::frontend::lowering
