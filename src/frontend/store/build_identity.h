#pragma once

#include <string>

namespace forewarp::frontend {

/// Tells this build from others: the linker's build ID of the program or library that this code is part of,
/// and LLVM's version. Empty where the linker wrote none.
const std::string& build_identity();

} // namespace forewarp::frontend
