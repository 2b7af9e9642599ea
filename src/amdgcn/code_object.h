// AMD code objects (.hsaco, Triton's and hipcc's output): kernels' resources from the metadata note,
// instructions by LLVM's own disassembler.
#pragma once

#include "facts/machine_code/code_object.h"
#include "support/result.h"

#include <cstddef>
#include <span>
#include <string>

namespace forewarp::amdgcn {

using facts::CodeObject;
using facts::CodeObjectKernel;
using facts::CodeObjectLine;

/// The first code object of a bundle. Errors: bad_input (cut off, no metadata note), unsupported (a target
/// that LLVM does not know).
Result<CodeObject> read_code_object(std::span<const std::byte> bytes, const std::string& path);

} // namespace forewarp::amdgcn
