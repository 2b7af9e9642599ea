// Debug locations of a file's statements: the line of the PTX and, as if inlined there, what `.loc` says,
// with what it says of inlining.
#pragma once

#include "frontend/ptx/syntax.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <utility>

namespace forewarp::frontend::ptx {

class Locations {
public:
  Locations(llvm::Module& module, const File& file, const std::string& path);
  /// `place`: the last `.loc` before the statement; line 0 where there was none.
  llvm::DebugLoc of(llvm::Function& function, unsigned line, const SourcePlace& place);
  void finish() { builder_.finalize(); }

private:
  llvm::DIFile* source(unsigned number);
  llvm::DISubprogram* scope_of(llvm::Function& function, unsigned line);
  llvm::DISubprogram* inlined_scope(unsigned number);
  llvm::DISubprogram* make_scope(llvm::StringRef name, llvm::DIFile* file, unsigned line);

  llvm::DIBuilder builder_;
  llvm::LLVMContext& context_;
  const File& file_;
  llvm::DIFile* own_;
  std::map<unsigned, llvm::DISubprogram*> inlined_; ///< by file
};

} // namespace forewarp::frontend::ptx
