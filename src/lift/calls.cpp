#include "lift/calls.h"

#include <llvm/ADT/SmallVector.h>

namespace forewarp::lift {

llvm::Function& callee_of(llvm::Module& module, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::SmallVector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  return *llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
}

bool is_left_out(const std::string& function) {
  return function == "vprintf" || function == "__assertfail";
}

} // namespace forewarp::lift
