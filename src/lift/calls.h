// Calls that lifted instructions become.
#pragma once

#include "lift/lifter.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

#include <string>

namespace forewarp::lift {

/// The function of this name and result that takes these arguments; declared where it is not there yet.
llvm::Function& callee_of(llvm::Module& module, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments);

/// Functions of the run-time library that print or stop the program: calls of them are left out.
bool is_left_out(const std::string& function);

/// `CALL.ABS R`: the pair was read from where the loader puts the address of such a function.
bool calls_what_is_left_out(const Lifter& lifter, std::uint32_t index);

} // namespace forewarp::lift
