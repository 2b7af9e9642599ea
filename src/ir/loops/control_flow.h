// The control-flow graph of a compiled kernel as plain numbers.
#pragma once

#include "facts/machine_code/control_flow.h"
#include "ir/kernel_module.h"

namespace llvm {
class Function;
class LoopInfo;
class PostDominatorTree;
} // namespace llvm

namespace forewarp::ir {

/// Natural loops, outer ones before those inside, and post-dominators by LLVM; cycles with two entries are no
/// loops here.
facts::ControlFlow control_flow(const llvm::Function& function, const llvm::LoopInfo& loops,
                                const llvm::PostDominatorTree& after);
facts::ControlFlow control_flow(const llvm::Function& function, const llvm::LoopInfo& loops);
facts::ControlFlow control_flow(const KernelModule& module, const KernelSignature& kernel);

} // namespace forewarp::ir
