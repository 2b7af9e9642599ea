#include "frontend/languages/declarations.h"

#include <clang/AST/DeclCXX.h>

namespace forewarp::frontend {
namespace {

void walk(clang::Decl* declaration, llvm::function_ref<void(clang::Decl*)> visit) {
  if (!llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
    return visit(declaration);
  for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration)->decls())
    walk(inner, visit);
}

} // namespace

void for_each_declaration(clang::DeclGroupRef group, llvm::function_ref<void(clang::Decl*)> visit) {
  for (clang::Decl* declaration : group)
    walk(declaration, visit);
}

} // namespace forewarp::frontend
