// What the vendor's tools call a GPU.
#pragma once

#include "gpu/gpu_file.h"
#include "gpu/machine.h"

#include <string>

namespace forewarp::gpu {

/// Target of the machine code that runs there: "sm_120", "gfx90a". `Machine::target` is what our compiler's
/// back end knows, which for newer GPUs of NVIDIA's is an older one.
std::string code_target(const Machine& machine);
std::string code_target(const GpuFile& file);

/// What stands in for such a target where LLVM 19's back end is asked: the newest that it knows, else the
/// target itself.
std::string compiler_target(const std::string& code_target);

} // namespace forewarp::gpu
