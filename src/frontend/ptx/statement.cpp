#include "frontend/ptx/statement.h"

#include <algorithm>
#include <charconv>

namespace forewarp::frontend::ptx {
namespace {

constexpr std::string_view blanks = " \t\n\r";

/// "e4m3x2": 8-bit floats; "e2m1x2", "e2m3x2", ... smaller ones, each in a byte of its own but e2m1.
std::optional<TypeWord> narrow_float(std::string_view word) {
  static constexpr std::string_view names[] = {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1", "ue8m0"};
  for (const std::string_view name : names)
    if (word.starts_with(name)) {
      const std::string_view rest = word.substr(name.size());
      const unsigned lanes = rest == "x2" ? 2 : rest == "x4" ? 4 : rest.empty() ? 1 : 0;
      if (lanes == 0)
        return std::nullopt;
      return TypeWord{'e', name == "e2m1" ? 4U : 8U, lanes};
    }
  return std::nullopt;
}

} // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos)
    return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<TypeWord> type_word(std::string_view word) {
  if (word == "pred")
    return TypeWord{'p', 1, 1};
  if (word == "tf32")
    return TypeWord{'t', 32, 1};
  if (word.size() < 2 || word.size() > 7)
    return std::nullopt;
  if (word[0] == 'e' || word.starts_with("ue"))
    return narrow_float(word);
  const bool brain = word.starts_with("bf");
  if (!brain && word[0] != 'u' && word[0] != 's' && word[0] != 'b' && word[0] != 'f')
    return std::nullopt;
  TypeWord type{brain ? 'h' : word[0], 0, 1};
  const char* const end = word.data() + word.size();
  const char* digits = word.data() + (brain ? 2 : 1);
  const auto [rest, error] = std::from_chars(digits, end, type.bits);
  if (error != std::errc() || rest == digits || type.bits == 0 || type.bits > 128)
    return std::nullopt;
  if (rest == end)
    return type;
  type.lanes = 0;
  if (*rest != 'x' || std::from_chars(rest + 1, end, type.lanes).ptr != end || type.lanes == 0 ||
      type.size() > 128)
    return std::nullopt;
  return type;
}

bool Statement::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

bool Statement::has_any(std::initializer_list<std::string_view> any) const {
  return std::any_of(any.begin(), any.end(), [&](std::string_view each) { return has(each); });
}

std::vector<TypeWord> Statement::types() const {
  std::vector<TypeWord> types;
  for (const std::string& modifier : modifiers)
    if (const auto type = type_word(modifier))
      types.push_back(*type);
  return types;
}

TypeWord Statement::type() const {
  for (auto modifier = modifiers.rbegin(); modifier != modifiers.rend(); ++modifier)
    if (const auto type = type_word(*modifier))
      return *type;
  return {};
}

std::string without_comments(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      quoted = !quoted;
    if (!quoted && text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
    } else if (!quoted && text.substr(i, 2) == "/*") {
      const std::size_t end = std::min(text.find("*/", i + 2), text.size());
      plain.append(
          static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                              text.begin() + static_cast<std::ptrdiff_t>(end), '\n')),
          '\n');
      i = end + 1;
      plain += ' ';
      continue;
    }
    if (i < text.size())
      plain += text[i];
  }
  return plain;
}

std::vector<std::string> split_operands(std::string_view text) {
  std::vector<std::string> operands;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '{' || c == '[' || c == '(' ? 1 : c == '}' || c == ']' || c == ')' ? -1 : 0;
    if (c == ',' && depth == 0) {
      operands.emplace_back(trimmed(text.substr(begin, i - begin)));
      begin = i + 1;
    }
  }
  if (const std::string_view last = trimmed(text.substr(begin)); !last.empty())
    operands.emplace_back(last);
  return operands;
}

Statement statement_of(std::string_view text, unsigned line) {
  Statement statement;
  text = trimmed(text);
  statement.text = text;
  statement.line = line;
  if (text.starts_with('@')) {
    text = trimmed(text.substr(1));
    if (text.starts_with('!')) {
      statement.unless = true;
      text = trimmed(text.substr(1));
    }
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    statement.predicate = text.substr(0, end);
    text = trimmed(text.substr(end));
  }
  const std::size_t end = std::min(text.find_first_of(" \t\n\r{[("), text.size());
  std::string_view words = text.substr(0, end);
  const bool directive = words.starts_with('.');
  const auto next = [&] {
    const std::size_t dot = std::min(words.find('.', 1), words.size());
    const std::string_view word =
        words.substr(words.starts_with('.') ? 1 : 0, dot - (words.starts_with('.') ? 1 : 0));
    words = words.substr(dot);
    return std::string(word);
  };
  if (!words.empty())
    statement.operation = (directive ? "." : "") + next();
  while (!words.empty())
    statement.modifiers.push_back(next());
  statement.operands = split_operands(text.substr(end));
  return statement;
}

std::vector<std::string> pieces_of(const std::string& operand) {
  if (operand.size() < 2 || operand.front() != '{' || operand.back() != '}')
    return {operand};
  return split_operands(std::string_view(operand).substr(1, operand.size() - 2));
}

} // namespace forewarp::frontend::ptx
