// What is common to all that looks into sources as text.
#pragma once

#include <cctype>
#include <cstdint>

namespace forewarp::frontend::project {

/// Larger files are not looked into.
inline constexpr std::uint64_t largest_source_bytes = 4 << 20;

/// A letter, digit or underscore: what identifiers are made of.
inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

} // namespace forewarp::frontend::project
