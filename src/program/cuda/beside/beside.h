// Kernels that have no code for this processor: the process beside executes them by its interpreter.
#pragma once

#include "program/cuda/execute.h"
#include "program/cuda/state.h"

#include <string>

namespace forewarp::program {

/// "": done, and what it has written is in the program's memory. Else why not.
std::string execute_beside(const KernelEntry& kernel, const NativeLaunch& launch);

} // namespace forewarp::program
