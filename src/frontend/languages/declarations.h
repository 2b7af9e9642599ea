// Declarations of a translation unit, wherever they stand.
#pragma once

#include <clang/AST/DeclGroup.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace forewarp::frontend {

/// Calls `visit` with each declaration of the group, and with those inside of its namespaces and `extern "C"`
/// blocks instead of these.
void for_each_declaration(clang::DeclGroupRef group, llvm::function_ref<void(clang::Decl*)> visit);

} // namespace forewarp::frontend
