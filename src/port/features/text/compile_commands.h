// How a project compiles its files, from the compile_commands.json that CMake, Meson and Bear write.
#pragma once

#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp::port {

/// Words for Clang by absolute path of the file: macros, include folders, the language's standard and flags
/// that change what is read. Others are of no matter here.
struct CompileCommands {
  std::map<std::string, std::vector<std::string>> words;
  std::vector<std::string> files; ///< in the order of the list
};

/// `path`: the file or the folder that holds it. Errors: not_found, bad_input (no such list).
Result<CompileCommands> read_compile_commands(const std::string& path);

} // namespace forewarp::port
