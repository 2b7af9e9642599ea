// The listing of an AMD code object.
#pragma once

#include "support/result.h"

#include <string>

namespace forewarp::cli {

/// Resources, instructions by class and the listing of one kernel ("": the only one), or of `list` the names.
Result<std::string> code_object_text(const std::string& path, const std::string& kernel, bool list,
                                     bool json);

} // namespace forewarp::cli
