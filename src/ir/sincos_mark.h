// What the front end leaves on the two intrinsics of one sincos call, so that the machine step knows them as
// such.
#pragma once

#include <string_view>

namespace forewarp::ir::builtins {

inline constexpr std::string_view sincos = "forewarp.sincos"; ///< metadata, on the sine and on the cosine

} // namespace forewarp::ir::builtins
