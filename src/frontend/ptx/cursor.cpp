#include "frontend/ptx/cursor.h"

#include <algorithm>
#include <cctype>

namespace forewarp::frontend::ptx {
namespace {

bool in_word(char c, bool dots) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' ||
         (dots && c == '.');
}

} // namespace

void Cursor::advance(std::size_t count) {
  const std::string_view passed = text_.substr(at_, count);
  line_ += static_cast<unsigned>(std::count(passed.begin(), passed.end(), '\n'));
  at_ += passed.size();
}

void Cursor::blanks() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) {
    line_ += text_[at_] == '\n';
    ++at_;
  }
}

bool Cursor::at_end() {
  blanks();
  return at_ >= text_.size();
}

char Cursor::peek() {
  return at_end() ? '\0' : text_[at_];
}

bool Cursor::take(char expected) {
  if (peek() != expected)
    return false;
  advance(1);
  return true;
}

std::string_view Cursor::word(bool dots) {
  blanks();
  std::size_t end = at_;
  while (end < text_.size() && in_word(text_[end], dots))
    ++end;
  const std::string_view taken = text_.substr(at_, end - at_);
  at_ = end;
  return taken;
}

std::string_view Cursor::peek_word() {
  const std::size_t at = at_;
  const unsigned line = line_;
  const std::string_view taken = word();
  at_ = at;
  line_ = line;
  return taken;
}

bool Cursor::until(char end, std::string_view& taken) {
  const std::size_t found = text_.find(end, at_);
  taken = text_.substr(at_, found == std::string_view::npos ? found : found - at_);
  advance(taken.size() + 1);
  return found != std::string_view::npos;
}

std::string_view Cursor::rest_of_line() {
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view taken = text_.substr(at_, end - at_);
  at_ = end;
  return taken;
}

bool Cursor::skip_braces() {
  int depth = 1;
  for (std::size_t i = at_; i < text_.size(); ++i) {
    depth += text_[i] == '{' ? 1 : text_[i] == '}' ? -1 : 0;
    if (depth == 0) {
      advance(i + 1 - at_);
      return true;
    }
  }
  advance(text_.size() - at_);
  return false;
}

bool Cursor::at_label() {
  blanks();
  std::size_t end = at_;
  while (end < text_.size() && in_word(text_[end], false))
    ++end;
  if (end == at_)
    return false;
  while (end < text_.size() && (text_[end] == ' ' || text_[end] == '\t'))
    ++end;
  return end < text_.size() && text_[end] == ':' && text_.substr(end, 2) != "::";
}

Error Cursor::error(const std::string& message, ErrorCode code, std::string remedy) const {
  return Error{code, message,
               path_.empty() ? "line " + std::to_string(line_) : path_ + ":" + std::to_string(line_),
               remedy.empty() ? reading_remedy : std::move(remedy)};
}

Error Cursor::cut_off(const char* inside) const {
  return error(std::string("the text ends inside of ") + inside, ErrorCode::bad_input,
               "is the file cut off?");
}

} // namespace forewarp::frontend::ptx
