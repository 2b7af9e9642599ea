// Object files to a program of this machine, by LLVM's linker inside this process.
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace forewarp::native {

struct LinkRequest {
  std::vector<std::string> objects;   ///< files; shared libraries, too
  std::vector<std::string> libraries; ///< as after -l
  std::vector<std::string> folders;   ///< as after -L
  std::string output;
};

/// Needs the C and C++ libraries' files for developers (libstdc++-12-dev brings them along). Errors:
/// unsupported (built without the linker, files missing), compile (names that nothing defines).
Result<void> link_program(const LinkRequest& request);

} // namespace forewarp::native
