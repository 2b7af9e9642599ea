#include "bundle/padded_source.h"

#include <cctype>
#include <string_view>

namespace forewarp::bundle {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Walks over OpenCL C without comments, literals and preprocessor lines.
class Walker {
public:
  explicit Walker(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool ended() const { return at_ >= text_.size(); }

  /// The next word, or a single character; "" at the end.
  std::string_view next() {
    skip();
    const std::size_t begin = at_;
    if (ended())
      return {};
    while (!ended() && is_word(text_[at_]))
      ++at_;
    if (at_ == begin)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

private:
  void skip() {
    for (std::size_t before = at_ + 1; before != at_;) {
      before = at_;
      while (!ended() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
        line_begins_ = line_begins_ || text_[at_] == '\n';
        ++at_;
      }
      if (text_.substr(at_, 2) == "//" || (line_begins_ && text_.substr(at_, 1) == "#"))
        skip_line();
      else if (text_.substr(at_, 2) == "/*")
        skip_to("*/");
      else if (text_.substr(at_, 1) == "\"" || text_.substr(at_, 1) == "'")
        skip_literal();
    }
    line_begins_ = false;
  }
  void skip_line() {
    for (; !ended() && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\')
        ++at_; // goes on in the next line
  }
  void skip_to(std::string_view end) {
    const std::size_t found = text_.find(end, at_ + 2);
    at_ = found == std::string_view::npos ? text_.size() : found + end.size();
  }
  void skip_literal() {
    const char quote = text_[at_++];
    for (; !ended() && text_[at_] != quote; ++at_)
      if (text_[at_] == '\\')
        ++at_;
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
};

} // namespace

std::string with_unused_local(const std::string& source, const std::string& kernel) {
  std::string result;
  std::size_t copied = 0;
  int braces = 0, parentheses = 0;
  bool named = false, in_list = false, empty = true;
  for (Walker walker(source); !walker.ended();) {
    const std::string_view word = walker.next();
    braces += word == "{" ? 1 : word == "}" ? -1 : 0;
    parentheses += word == "(" ? 1 : word == ")" ? -1 : 0;
    if (named && word == "(" && braces == 0) {
      in_list = true;
      empty = true;
    } else if (in_list && parentheses == 0) {
      const std::size_t end = walker.at() - 1; // before the closing parenthesis
      result += source.substr(copied, end - copied) + (empty ? "" : ", ") + "__local char* forewarp_unused";
      copied = end;
      in_list = false;
    } else if (in_list) {
      empty = false;
    }
    named = word == kernel && parentheses == 0;
  }
  return copied == 0 ? "" : result + source.substr(copied);
}

} // namespace forewarp::bundle
