#pragma once

namespace forewarp::cli {

inline constexpr const char* version = "0.1.0";

} // namespace forewarp::cli
