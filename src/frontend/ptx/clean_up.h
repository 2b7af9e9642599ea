// What makes of a translated PTX file the IR that later rooms expect.
#pragma once

#include "frontend/lowering/builtin_call.h"
#include "frontend/passes/compiler_generation.h"

#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::frontend::ptx {

/// Calls are inlined, slots on the stack become values, addresses pointers, and what nobody reads goes away.
/// A compiler has optimised this code already, so nothing is moved, but that the assembler's copies of loops
/// are made as `compiler`'s generation makes them, as for source code (assembler_unrolling.h).
void clean_up(llvm::Module& module, const std::string& processor, const std::string& features,
              const CompilerGeneration& compiler, lowering::Report& report);

} // namespace forewarp::frontend::ptx
