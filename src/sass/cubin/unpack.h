// Compressed parts of fat binaries.
#pragma once

#include "sass/container.h"

namespace forewarp::sass {

/// Bytes of the part as they were before nvcc packed them. Errors: bad_input (damaged), unsupported (zstd,
/// where this program was built without its library), both with the way out.
Result<std::vector<std::byte>> unpacked(const EmbeddedCode& part, const std::string& name);

} // namespace forewarp::sass
