// Calls that lifted instructions become.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::lift {

/// The function of this name and result that takes these arguments; declared where it is not there yet.
llvm::Function& callee_of(llvm::Module& module, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments);

/// Functions of the run-time library that print or stop the program: calls of them are left out.
bool is_left_out(const std::string& function);

} // namespace forewarp::lift
