// One function a language; compile.cpp's table chooses by the file's ending. Each returns a finished module.
#pragma once

#include "frontend/compile.h"

namespace forewarp::frontend {

Result<ir::KernelModule> compile_opencl(const CompileRequest& request);
Result<ir::KernelModule> compile_cuda(const CompileRequest& request);
Result<ir::KernelModule> compile_llvm_ir(const CompileRequest& request);
Result<ir::KernelModule> compile_machine_code(const CompileRequest& request);
Result<ir::KernelModule> compile_ptx(const CompileRequest& request);

} // namespace forewarp::frontend
