// LLVM's readers crash on some broken input: what they read here is not read by the rest of the program.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend {

/// Reads and verifies IR (guarded) or bitcode (in a forked child with limits on time and memory, which costs
/// as much again as the reading), and gives the module back as fresh bitcode: what is then read was written
/// by LLVM itself, and broken debug records are gone. Error bad_input, with the reader's own words and
/// position where it gave some.
Result<std::string> rewrite_foreign_ir(std::string_view bytes, const std::string& path);

} // namespace forewarp::frontend
