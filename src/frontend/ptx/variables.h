// Variables of a file as LLVM's.
#pragma once

#include "frontend/ptx/syntax.h"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Module.h>

namespace forewarp::frontend::ptx {

/// .global, .const, .shared and textures as a global variable of the module, without values. Null: a type or
/// memory that a variable cannot have.
llvm::GlobalVariable* make_variable(llvm::Module& module, const Declaration& declaration);

/// Gives the variable its values, which may name other variables. False: a value of a form that is not known.
bool set_values(llvm::Module& module, llvm::GlobalVariable& variable, const Declaration& declaration);

} // namespace forewarp::frontend::ptx
