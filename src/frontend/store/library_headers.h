// Headers of the machine's C and C++ libraries that a source includes: read once for many compilations of it.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace forewarp::frontend {

struct LibraryHeaders {
  std::vector<std::string> names; ///< as spelled, in the order in which files of the user include them first
  std::set<std::string, std::less<>> macros; ///< that these files define or take back before the last of them
};

/// Fills `seen` while the source is read; call from DriverHooks::begin_source. `seen` must outlive the
/// compilation.
void watch_library_headers(clang::CompilerInstance& compiler, LibraryHeaders& seen);

/// A file with nothing but these includes.
std::string source_of(const std::vector<std::string>& names);

} // namespace forewarp::frontend
