// Lines of a lifted kernel, as its file has them.
#pragma once

#include "facts/source_location.h"

#include <llvm/IR/DIBuilder.h>

namespace forewarp::lift {

class Lines {
public:
  Lines(llvm::Module& module, const facts::SourceFiles& files);
  void add(llvm::Function& function);
  void finish() { builder_.finalize(); }

private:
  llvm::DIBuilder builder_;
  llvm::DIFile* file_ = nullptr;
};

} // namespace forewarp::lift
