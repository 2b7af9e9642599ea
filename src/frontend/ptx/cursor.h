// A place in the text of a PTX file, comments gone, that counts lines.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace forewarp::frontend::ptx {

/// What to do about a statement or directive that is not read.
inline constexpr const char* reading_remedy =
    "docs/reference/ptx.md lists the instructions and directives that are read";

class Cursor {
public:
  Cursor(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  unsigned line() const { return line_; }
  /// After blanks.
  bool at_end();
  /// The next character after blanks; '\0' at the end.
  char peek();
  bool take(char expected);
  /// Letters, digits, '_', '$', '%' and, with `dots`, '.'; "" where there is none.
  std::string_view word(bool dots = false);
  /// The same, without going on.
  std::string_view peek_word();
  /// Up to `end`, which is passed over; nothing: the text ends before.
  bool until(char end, std::string_view& taken);
  /// Up to the end of the line.
  std::string_view rest_of_line();
  /// Behind the brace that closes one that is taken already. False: the text ends before.
  bool skip_braces();
  /// Whether a label begins here: a word and a colon.
  bool at_label();

  Error error(const std::string& message, ErrorCode code = ErrorCode::bad_input,
              std::string remedy = "") const;
  Error cut_off(const char* inside) const;

private:
  void blanks();
  void advance(std::size_t count);

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

} // namespace forewarp::frontend::ptx
