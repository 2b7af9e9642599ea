// AMD code objects, for callers that have no compiler's types.
#pragma once

#include "facts/machine_code/code_object.h"
#include "support/result.h"

#include <string>

namespace forewarp::engine {

/// Whether the file is one, or a bundle of Clang's. Errors: not_found.
Result<bool> is_code_object(const std::string& path);

/// Errors: not_found (file), bad_input (cut off, no metadata), unsupported (target, compressed bundle).
Result<facts::CodeObject> read_code_object(const std::string& path);

/// The kernel of that name ("": the only one). Errors: as read_code_object; not_found with the names.
Result<facts::CodeObjectKernel> code_object_kernel(const std::string& path, const std::string& name);

} // namespace forewarp::engine
