// Errors inside functions that run on the GPU, set apart: a kernel with one is refused, the others of its
// file are compiled.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace clang {
class ASTConsumer;
class CompilerInstance;
} // namespace clang

namespace forewarp::frontend {

struct BrokenFunction {
  std::string name;   ///< as the source has it
  std::string symbol; ///< of a kernel; "": another function, which has no body any more
  std::string where;  ///< "file:line:column" of the first error
  std::string errors; ///< its text; others on lines of their own, with their places
};

/// Errors inside functions of the device, and in what declares them, become entries of `broken` and stop
/// nothing: a kernel's body is empty then, another function has none. Errors anywhere else stay. The consumer
/// is to stand in front of the code generator.
std::unique_ptr<clang::ASTConsumer> set_broken_functions_apart(clang::CompilerInstance& compiler,
                                                               std::vector<BrokenFunction>& broken);

} // namespace forewarp::frontend
