#include "frontend/languages/diagnostic_filter.h"

#include <clang/AST/Decl.h>
#include <clang/Sema/Sema.h>

namespace forewarp::frontend {

clang::FunctionDecl* outermost_function(const clang::Sema& sema) {
  clang::FunctionDecl* outermost = nullptr;
  for (clang::DeclContext* context = sema.CurContext; context; context = context->getParent())
    if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(context))
      outermost = function;
  return outermost;
}

} // namespace forewarp::frontend
