// Kernel signatures from the AST, for OpenCL and CUDA alike.
#pragma once

#include "ir/kernel_module.h"

#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace forewarp::frontend {

/// Appends the signature of each kernel that the translation unit defines (template instantiations included).
std::unique_ptr<clang::ASTConsumer> make_signature_consumer(std::vector<ir::KernelSignature>& signatures);

} // namespace forewarp::frontend
