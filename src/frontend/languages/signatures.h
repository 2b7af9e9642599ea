// Kernel signatures from the AST, for OpenCL and CUDA alike.
#pragma once

#include "ir/kernel_module.h"

#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
class FunctionDecl;
class ParmVarDecl;
} // namespace clang

namespace forewarp::frontend {

/// Appends the signature of each kernel that the translation unit defines (template instantiations included).
std::unique_ptr<clang::ASTConsumer> make_signature_consumer(std::vector<ir::KernelSignature>& signatures);

/// One parameter as it is declared.
ir::Parameter describe_parameter(const clang::ParmVarDecl& declaration, const clang::ASTContext& context);

} // namespace forewarp::frontend
