// Calls that lifted instructions become.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::lift {

/// The function of this name and result that takes these arguments; declared where it is not there yet.
llvm::Function& callee_of(llvm::Module& module, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments);

} // namespace forewarp::lift
