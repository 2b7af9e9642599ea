// LLVM's readers crash on some broken input: a child process reads first.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend {

/// Reads and verifies IR or bitcode in a forked child with limits on time and memory. Error bad_input, with
/// the reader's own words and position where it gave some.
Result<void> check_foreign_ir(std::string_view bytes, const std::string& path);

} // namespace forewarp::frontend
