// The --arg grammar, piece by piece; the launch file's tables use the same pieces.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::launch {

/// "f32", ... Unknown: usage error with the nearest.
Result<facts::ScalarType> parse_type(std::string_view text, const std::string& where);

/// Elements: "1024" or a product "32x32x4"; at least 1, at most 2^48 bytes in all.
Result<std::uint64_t> parse_count(std::string_view text, facts::ScalarType type, const std::string& where);

/// "zeros", "iota", "random(SEED)", "random", or "@file"; sets `buffer.contents` (and a count of 0 from the
/// file).
Result<void> parse_contents(std::string_view text, facts::BufferValue& buffer,
                            const std::string& base_directory, const std::string& where);

/// What stands right of "NAME=".
Result<facts::ArgumentValue> parse_value(std::string_view text, const std::string& base_directory,
                                         const std::string& where);

/// `path` below `base_directory`, unless it is absolute.
std::string below(const std::string& base_directory, std::string_view path);

} // namespace forewarp::launch
