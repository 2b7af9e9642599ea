// A CUDA source parsed once for two ends: its host code is read for a launch, and the kernel that it starts
// is compiled.
#pragma once

#include "frontend/compile.h"

#include <functional>
#include <optional>

namespace clang {
class ASTContext;
}

namespace forewarp::frontend {

/// Sees the source whole, host functions included, and names what is compiled of it: the same request with
/// another only_kernel; none: nothing.
using SourceReader = std::function<std::optional<CompileRequest>(clang::ASTContext&)>;

/// The module that `compile` would make of what `read` names, finished; of the host functions that are read
/// beside, nothing is said in it. Errors: those of compile, not_found where nothing is named. An error need
/// not be one of a compilation by itself.
Result<ir::KernelModule> compile_while_reading(const CompileRequest& request, const SourceReader& read);

} // namespace forewarp::frontend
