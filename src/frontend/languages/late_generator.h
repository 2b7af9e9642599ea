// Code generation that begins when the whole source is read, so that the source itself may say what is
// generated.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace clang {
class ASTConsumer;
class ASTContext;
} // namespace clang

namespace forewarp::frontend {

struct LateGeneration {
  std::function<bool(clang::ASTContext&)> parsed;       ///< false: nothing is generated
  std::function<bool(const std::string&)> wants_kernel; ///< by its symbol; asked after `parsed`
};

/// Keeps what the parser hands out and gives it to `generator` at the end, but the kernels that are not
/// wanted.
std::unique_ptr<clang::ASTConsumer> generate_late(std::unique_ptr<clang::ASTConsumer> generator,
                                                  LateGeneration generation);

} // namespace forewarp::frontend
