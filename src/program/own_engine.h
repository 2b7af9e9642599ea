// Kernels executed by our own interpreter: of OpenCL programs where the implementation cannot build or run
// them, or where the user wants it (`--engine own`); of CUDA sources where they have no code for this
// processor.
#pragma once

#include "engine/predict.h"
#include "ir/kernel_module.h"
#include "program/wire/connection.h"
#include "support/result.h"

#include <string>

namespace forewarp::program {

/// `target`: of CUDA sources; "": any. Errors: those of frontend::compile.
Result<ir::KernelModule> compile_for_own_engine(const engine::SourceRequest& source,
                                                const std::string& target = "");

/// OpenCL C of kernels with the module's names and parameters, and nothing in them: the implementation builds
/// it, and keeps the arguments that the program sets.
std::string stand_in_text(const ir::KernelModule& module);

/// All groups of a launch on the buffers that were sent with it. The answer has their contents:
/// {"contents": [{"key", "at", "bytes"}], "fault"} and the bytes; `fault` names an access outside of a buffer
/// (line, work-item), which then read zero or wrote nothing. Errors: unsupported (images), those of
/// simt::run.
Result<Message> execute_launch(const ir::KernelModule& module, const engine::KernelDescription& kernel,
                               const Message& question);

} // namespace forewarp::program
