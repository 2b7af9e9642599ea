// Names of module variables and functions as the source has them.
#pragma once

#include <string>
#include <string_view>

namespace forewarp::ir {

/// `k.tile` and, after NVPTX's passes, `k_$_tile` (OpenCL, a variable of kernel `k`), `_ZZ1kPfE4tile` (CUDA):
/// `tile`. A name that is none of these comes back as it is.
std::string variable_name(std::string_view symbol, std::string_view kernel_symbol);

/// A function's name with namespaces and template arguments, without parameters; what is not mangled comes
/// back as it is.
std::string function_name(const std::string& symbol);

} // namespace forewarp::ir
