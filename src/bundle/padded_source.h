// OpenCL C of a kernel with one more parameter: local memory that it does not use, so that a launch can keep
// other groups away (OpenCL has no shared memory beside a kernel's own).
#pragma once

#include <string>

namespace forewarp::bundle {

/// `source` with `local char* forewarp_unused` as the last parameter of the functions of that name. "" where
/// no parameter list of that name stands in the text (made by a macro).
std::string with_unused_local(const std::string& source, const std::string& kernel);

} // namespace forewarp::bundle
