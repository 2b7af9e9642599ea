// Door of the decoder; no LLVM headers.
#pragma once

#include "ir/kernel_module.h"
#include "simt/decode/program.h"
#include "support/result.h"

namespace forewarp::simt {

/// Errors: not_found (symbol), unsupported (an instruction or call that the interpreter does not know, with
/// its line).
Result<Program> decode(const ir::KernelModule& module, const ir::KernelSignature& kernel);

} // namespace forewarp::simt
