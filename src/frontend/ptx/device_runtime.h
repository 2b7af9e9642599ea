// Functions of CUDA's device library (cudadevrt) that compilers leave to the linker.
#pragma once

#include "frontend/ptx/syntax.h"

namespace forewarp::frontend::ptx {

/// Gives bodies to those of the grid's barrier (cudaCGGetIntrinsicHandle, cudaCGSynchronize) where the file
/// names them without one. Errors: as read_file_text.
Result<void> add_device_runtime(File& file);

} // namespace forewarp::frontend::ptx
