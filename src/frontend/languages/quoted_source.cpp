#include "frontend/languages/quoted_source.h"

#include <algorithm>
#include <cctype>

namespace forewarp::frontend {
namespace {

/// Behind blanks and comments.
std::size_t behind_blanks(const std::string& text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (text.compare(at, 2, "//") == 0)
      at = std::min(text.find('\n', at), text.size());
    else if (text.compare(at, 2, "/*") == 0)
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      return at;
  }
}

void blank(std::string& text, std::size_t first, std::size_t end) {
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(end),
      [](char c) { return c != '\n'; }, ' ');
}

std::string without_raw_strings(std::string text, std::size_t at) {
  while (text.compare(at, 2, "R\"") == 0) {
    const std::size_t open = text.find('(', at);
    if (open == std::string::npos)
      return {};
    const std::string close = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const std::size_t end = text.find(close, open);
    if (end == std::string::npos)
      return {};
    blank(text, at, open + 1);
    blank(text, end, end + close.size());
    at = behind_blanks(text, end + close.size());
    if (at < text.size() && text[at] == ';') {
      blank(text, at, at + 1);
      at = behind_blanks(text, at);
    }
  }
  return at == text.size() ? text : std::string();
}

/// A \n that is written out, at a line's begin.
void blank_written_ends(std::string& text) {
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    const std::size_t at = text.find_first_not_of(" \t", line);
    if (at != std::string::npos && text.compare(at, 2, "\\n") == 0)
      blank(text, at, at + 2);
    if (text.find('\n', line) == std::string::npos)
      return;
  }
}

std::string without_macro(std::string text, std::size_t at) {
  const auto is_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const std::size_t end_of_name = static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_of_name) -
      text.begin());
  const std::size_t open = behind_blanks(text, end_of_name);
  const std::size_t last = text.find_last_not_of(" \t\r\n;");
  if (end_of_name == at || open >= text.size() || text[open] != '(' || text[last] != ')' ||
      text.find("kernel", open) == std::string::npos)
    return {};
  int depth = 0; // the last brace is the first one's
  for (std::size_t k = open; k < last; ++k)
    if (depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0; depth == 0)
      return {};
  if (depth != 1)
    return {};
  blank(text, at, open + 1);
  blank(text, last, text.size());
  blank_written_ends(text);
  return text;
}

} // namespace

std::string without_quotes(const std::string& text) {
  const std::size_t at = behind_blanks(text, 0);
  if (text.compare(at, 2, "R\"") == 0)
    return without_raw_strings(text, at);
  return without_macro(text, at);
}

} // namespace forewarp::frontend
