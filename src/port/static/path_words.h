// Recording code for the ways that the iterations of one loop take.
#pragma once

#include "port/static/affine_runs.h"

#include <llvm/IR/IRBuilder.h>

namespace forewarp::port {

/// The recording code's variables.
struct RecordingCode {
  llvm::GlobalVariable *cursor = nullptr, *limit = nullptr;
  llvm::FunctionCallee flush;
};

/// In the blocks of a loop with RunPlan::paths: each iteration gathers its blocks' bits; so many iterations
/// with the same bits become one word when another way is taken or the loop is left, and end_of_run follows.
/// To be called when the function's blocks have all their other recording code: changes its edges.
void write_paths(const AffineRun& run, const RecordingCode& code);

} // namespace forewarp::port
