// Reading a text file that a person wrote, with the errors that a person needs; writing a file that others
// read.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace forewarp {

/// The bytes of a regular file of at most `max_bytes`. `what` names its role in errors ("launch file").
/// Errors: not_found (missing, a folder, not readable), bad_input (empty, too large).
Result<std::string> read_file(const std::string& path, const std::string& what, std::uint64_t max_bytes);

/// `read_file` and `check_text` in one.
Result<std::string> read_text_file(const std::string& path, const std::string& what, std::uint64_t max_bytes);

/// A file that others find whole or not at all: written beside its place, then put there. not_found with what
/// the system says, and `hint`.
Result<void> write_whole_file(const std::string& path, std::string_view bytes, const std::string& hint);

/// bad_input where `text` is not UTF-8 or holds a NUL byte; the error carries `where:line:column`.
Result<void> check_text(std::string_view text, const std::string& where, const std::string& what);

} // namespace forewarp
