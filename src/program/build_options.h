// The options of clBuildProgram, as one text, to what the engine compiles with.
#pragma once

#include "engine/request.h"

#include <string>

namespace forewarp::program {

/// -D, -I and -cl-std by name, everything else as it stands. Words may be quoted. Relative folders begin at
/// `folder`.
void read_build_options(const std::string& options, const std::string& folder, engine::SourceRequest& source);

} // namespace forewarp::program
