// A compiled module as bytes and back: bitcode with use lists, and everything that stands beside it.
#pragma once

#include "frontend/store/file_log.h"
#include "ir/kernel_module.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend {

std::string module_bytes(const ir::KernelModule& module);
/// Errors: bad_input (not what module_bytes wrote).
Result<ir::KernelModule> module_of_bytes(std::string_view bytes);

/// Equal for modules that are.
ContentHash content_of(const ir::KernelModule& module);

std::string error_bytes(const Error& error);
/// Errors: bad_input.
Result<Error> error_of_bytes(std::string_view bytes);

} // namespace forewarp::frontend
