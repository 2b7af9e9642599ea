// LLVM assembly as tokens, for rewriting: each keeps its place in the text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace forewarp::frontend::newer_ir {

enum class TokenKind : std::uint8_t {
  word,        ///< keyword, type, attribute, literal: "icmp", "i32", "captures", "f0x3F80", "+inf", "0x7FF0"
  name,        ///< "@f", "%4", "%a.b", "!dbg", "#0", "$comdat", quoted forms too
  text,        ///< "..." with its quotes (also behind a `c`)
  punctuation, ///< one character, or "..."
};

struct Token {
  TokenKind kind;
  std::string_view text; ///< a part of the module's text
  std::uint32_t line;    ///< from 1

  bool is(std::string_view other) const { return text == other; }
};

/// All tokens in order, without comments and space. A string that is not closed ends with the text.
std::vector<Token> tokens_of(std::string_view module);

} // namespace forewarp::frontend::newer_ir
