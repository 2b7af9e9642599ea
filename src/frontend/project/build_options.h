// What a project's own build files say about compiling a source: include folders and macros of the Makefile
// or CMakeLists.txt beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::frontend::project {

struct BuildOptions {
  struct Macro {
    std::string definition; ///< "NAME" or "NAME=VALUE"
    std::string place;      ///< "file:line"
  };
  std::vector<std::string> folders; ///< of headers; those that exist
  std::vector<Macro> macros;
  std::string standard; ///< "c++20": of -std=, CMAKE_CXX_STANDARD or cxx_std_20; "": not named
};

/// Of the build file of `folder`, or of the nearest folder above that has one (two levels at most). Variables
/// that the file itself sets are put in; words with others are left out, and so are macros inside of
/// conditions. Nothing is run. Empty where there is no build file.
BuildOptions build_options(const std::string& folder);

/// The same from the text of a build file that lies in `folder`.
BuildOptions options_of_makefile(const std::string& text, const std::string& path);
BuildOptions options_of_cmake(const std::string& text, const std::string& path);

} // namespace forewarp::frontend::project
