// LLVM's readers crash on some broken input: a child process reads first.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend {

/// Reads and verifies IR or bitcode in a forked child with limits on time and memory, and gives the module
/// back as fresh bitcode: what this process then reads was written by LLVM itself, and broken debug records
/// are gone. Error bad_input, with the reader's own words and position where it gave some.
Result<std::string> rewrite_foreign_ir(std::string_view bytes, const std::string& path);

} // namespace forewarp::frontend
