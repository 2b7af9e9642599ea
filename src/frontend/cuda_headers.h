// The own CUDA headers (data/include), embedded in the program, and the machine's C and C++ headers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::frontend {

/// Folder under which the embedded headers appear to the compiler.
inline constexpr const char* own_include_folder = "/forewarp-include";

/// Path below data/include and contents of every own header.
const std::vector<std::pair<std::string_view, std::string_view>>& own_headers();

/// cc1 arguments for the machine's C++ and C headers, the newest libstdc++ first; none where there are none
/// (host code that includes them is passed over).
std::vector<std::string> system_header_arguments(const std::string& resource_folder);

} // namespace forewarp::frontend
