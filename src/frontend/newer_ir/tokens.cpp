#include "frontend/newer_ir/tokens.h"

#include <algorithm>

namespace forewarp::frontend::newer_ir {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Of a word or of a name without quotes (LLVM Language Reference, identifiers). '+' leads a literal.
bool continues_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '.' ||
         c == '$' || c == '-' || c == '+' || c == '\\';
}

class Lexer {
public:
  explicit Lexer(std::string_view module) : text_(module) {}

  std::vector<Token> run() {
    while (skip_space())
      tokens_.push_back(next());
    return std::move(tokens_);
  }

private:
  bool skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (c == '\n')
        ++line_, ++at_;
      else if (c == ' ' || c == '\t' || c == '\r')
        ++at_;
      else
        return true;
    }
    return false;
  }

  Token next() {
    const char c = text_[at_];
    if (c == '"')
      return quoted(TokenKind::text, at_);
    if (c == 'c' && peek(1) == '"')
      return quoted(TokenKind::text, at_ + 1);
    if (leads_name(c))
      return peek(1) == '"' ? quoted(TokenKind::name, at_ + 1) : taken(TokenKind::name, word_end(at_ + 1));
    if (text_.compare(at_, 3, "...") == 0)
      return taken(TokenKind::punctuation, at_ + 3);
    if (continues_word(c))
      return taken(TokenKind::word, word_end(at_));
    return taken(TokenKind::punctuation, at_ + 1);
  }

  /// "!" alone stands before braces and strings, "#" and "%" before what names them.
  bool leads_name(char c) const {
    const char after = peek(1);
    switch (c) {
    case '@':
    case '%':
    case '#':
      return after == '"' || continues_word(after);
    case '!':
      return continues_word(after);
    default:
      return false;
    }
  }

  char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  std::size_t word_end(std::size_t from) const {
    while (from < text_.size() && continues_word(text_[from]))
      ++from;
    return from;
  }

  /// Quotes inside are written \22: the next quote ends it.
  Token quoted(TokenKind kind, std::size_t quote) {
    const std::size_t close = text_.find('"', quote + 1);
    return taken(kind, close == std::string_view::npos ? text_.size() : close + 1);
  }

  Token taken(TokenKind kind, std::size_t end) {
    const Token token{kind, text_.substr(at_, end - at_), line_};
    line_ += static_cast<std::uint32_t>(std::count(token.text.begin(), token.text.end(), '\n'));
    at_ = end;
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<Token> tokens_;
};

} // namespace

std::vector<Token> tokens_of(std::string_view module) {
  return Lexer(module).run();
}

} // namespace forewarp::frontend::newer_ir
