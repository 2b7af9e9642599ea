// The control-flow graph of a compiled kernel as plain numbers.
#pragma once

#include "ir/kernel_module.h"
#include "predict/model_facts/control_flow.h"

namespace forewarp::engine {

/// Natural loops and post-dominators by LLVM; cycles with two entries are no loops here.
predict::model_facts::ControlFlow control_flow(const ir::KernelModule& module,
                                               const ir::KernelSignature& kernel);

} // namespace forewarp::engine
