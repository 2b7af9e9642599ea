// The metadata note of a code object (MessagePack): kernels with resources and arguments.
#pragma once

#include "amdgcn/program.h"

namespace forewarp::amdgcn {

/// Error bad_input: it cannot be read.
Result<std::vector<Kernel>> kernels_of(const std::string& metadata, const std::string& path);

} // namespace forewarp::amdgcn
