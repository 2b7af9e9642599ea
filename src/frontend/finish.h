// What stands between the language's -O3 and the door: checks, source files, the target's own IR passes.
#pragma once

#include "frontend/driver.h"

namespace forewarp::frontend {

/// Checks that every kernel is one function without recursion, assembly and indirect calls, runs the target's
/// own IR passes (NVIDIA), fills files, locations and shared-memory sizes of the signatures. `own_headers`
/// are folders whose files are not the user's.
Result<void> finish(ir::KernelModule& module, const CompileRequest& request,
                    const std::vector<std::string>& own_headers);

/// The target's IR passes as the back end runs them before instruction selection (address spaces, loop
/// strength reduction, merged loads). Error internal when LLVM's code ends fatally.
Result<void> run_target_passes(llvm::Module& module, const std::string& processor,
                               const std::string& features);

} // namespace forewarp::frontend
