// The own CUDA headers (data/include), embedded in the program, and the machine's C and C++ headers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::frontend {

/// Folder under which the embedded headers appear to the compiler.
inline constexpr const char* own_include_folder = "/forewarp-include";

/// A file there, which headers are compiled with, and the place of what comes out.
inline constexpr const char* prelude_source = "/forewarp-include/prelude.cu";
inline constexpr const char* precompiled_headers = "/forewarp-include/prelude.pch";

/// Path below data/include and contents of every own header.
const std::vector<std::pair<std::string_view, std::string_view>>& own_headers();

/// cc1 arguments for the machine's C++ and C headers, the newest libstdc++ first; none where there are none
/// (host code that includes them is passed over).
std::vector<std::string> system_header_arguments(const std::string& resource_folder);

/// A file of the C++ library that these arguments name.
bool is_standard_library(std::string_view path);

} // namespace forewarp::frontend
