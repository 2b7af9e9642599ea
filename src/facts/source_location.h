#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::facts {

/// A place in the user's source; `line` 0 means that the compiler kept no location.
struct SourceLocation {
  std::uint32_t file = 0; ///< index into `SourceFiles`
  std::uint32_t line = 0; ///< 1-based
  std::uint32_t column = 0;
  bool operator==(const SourceLocation&) const = default;
};

/// Names of the files as the compiler was given them.
using SourceFiles = std::vector<std::string>;

} // namespace forewarp::facts
