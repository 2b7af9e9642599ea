// Links object code and runs its main in this process (the helper). The only file of the helper that knows
// LLVM.
#pragma once

#include "port/helper/runtime.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct ProgramCode {
  std::string object;                 ///< of static/optimise.h
  bool recorded = false;              ///< has cursor and limit
  std::vector<std::string> libraries; ///< as after -l, or a path
  std::vector<std::string> arguments; ///< of main, without the program's name
};

/// Never returns: ends through finish_runtime.
[[noreturn]] void run_program(const ProgramCode& code, RuntimeRequest request);

} // namespace forewarp::port
