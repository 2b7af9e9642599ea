// LLVM function passes on one function, with the analyses that they ask for.
#pragma once

#include <llvm/IR/PassManager.h>

namespace forewarp::port {

void run_passes(llvm::Function& function, llvm::FunctionPassManager passes);

} // namespace forewarp::port
