// The lowering pass inside LLVM's pipelines.
#pragma once

#include "frontend/lowering/lower.h"

#include <string>

namespace llvm {
class PassBuilder;
}

namespace forewarp::frontend {

/// Puts the lowering of built-ins at the pipeline's start and the unrolling of private-array loops before its
/// second half. `report` must outlive the run; `builder` must have instrumentation callbacks.
void add_lowering(llvm::PassBuilder& builder, const lowering::Options& options, lowering::Report& report);

/// -O3, or -O2 for plain bitcode, for a module that no front end of ours made.
void optimise(llvm::Module& module, const std::string& processor, const std::string& features,
              const lowering::Options& options, lowering::Report& report);

} // namespace forewarp::frontend
