// One statement of PTX, of a file or of inline assembly, taken apart into words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::frontend::ptx {

/// A type word: "u32", "f16x2", "bf16", "pred", "e4m3x2".
struct TypeWord {
  char kind =
      '\0'; ///< 'u', 's', 'b', 'f', 'h' (bf16), 't' (tf32), 'e' (8-bit and smaller floats), 'p' (pred)
  unsigned bits = 0;  ///< of one element
  unsigned lanes = 1; ///< elements in one register ("x2", "x4")
  unsigned size() const { return bits * lanes; }
  bool is_float() const { return kind == 'f' || kind == 'h'; }
};

/// Nothing: the word is no type.
std::optional<TypeWord> type_word(std::string_view word);

/// "@!p ld.global.v2.u32 {%0, %1}, [%2+8];" -> p, unless; ld; global v2 u32; {%0, %1}, [%2+8].
struct Statement {
  std::string text; ///< as written
  unsigned line = 0;
  std::string operation;
  std::vector<std::string> modifiers, operands;
  std::string predicate; ///< of "@p ..."; "": always
  bool unless = false;   ///< "@!p ..."

  bool has(std::string_view modifier) const;
  bool has_any(std::initializer_list<std::string_view> any) const;
  /// Type modifiers in order: "cvt.rn.f32.s32": f32, s32.
  std::vector<TypeWord> types() const;
  /// The last of them; kind 0 where there is none.
  TypeWord type() const;
  unsigned bits() const { return type().size(); }
  char kind() const { return type().kind; }
};

/// The statement without its semicolon; comments are gone already.
Statement statement_of(std::string_view text, unsigned line = 0);

/// Without comments; ends of lines are kept.
std::string without_comments(std::string_view text);

/// At commas outside of braces, brackets and parentheses, each without blanks around it.
std::vector<std::string> split_operands(std::string_view text);

/// The pieces of "{a, b}"; the operand itself where it has no braces.
std::vector<std::string> pieces_of(const std::string& operand);

std::string_view trimmed(std::string_view text);

} // namespace forewarp::frontend::ptx
