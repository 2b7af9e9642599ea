// What the front end leaves on IR instructions that are part of one machine instruction with another: the
// machine step gives them no operation of their own.
#pragma once

#include <string_view>

namespace forewarp::ir::builtins {

inline constexpr std::string_view part = "forewarp.part"; ///< metadata

} // namespace forewarp::ir::builtins
