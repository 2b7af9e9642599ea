// Kernel templates: which have no instance, and instances that only a launch with errors asks for.
#pragma once

#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class Sema;
} // namespace clang

namespace forewarp::frontend {

/// Instantiates the kernels that `functions` (host functions with errors) name with all their template
/// arguments, as a launch `scale<float><<<...>>>(unknown)` does.
void instantiate_named_kernels(clang::Sema& sema, const std::vector<const clang::FunctionDecl*>& functions);

/// The kernel templates of the file that have no instance, each with template arguments that may make one:
/// "scale<float, 32>".
std::vector<std::string> kernels_without_instance(const clang::ASTContext& context);

} // namespace forewarp::frontend
