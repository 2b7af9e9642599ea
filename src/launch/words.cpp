#include "launch/words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace forewarp::launch {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

template <class T> bool reads_whole(std::string_view text, T& out, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return error == std::errc() && end == text.data() + text.size();
}

std::optional<std::string> hexadecimal(std::string_view digits, bool negative) {
  std::uint64_t value = 0;
  if (digits.empty() || !reads_whole(digits, value, 16))
    return std::nullopt;
  return fmt::format("{}{}", negative ? "-" : "", value);
}

/// A C integer suffix or a float's `f` says nothing that the parameter's type does not say better.
std::string_view without_suffix(std::string_view text) {
  const bool is_float = text.find_first_of(".eE") != std::string_view::npos;
  const std::string_view suffixes = is_float ? "fF" : "uUlLfF";
  while (text.size() > 1 && suffixes.find(text.back()) != std::string_view::npos && text != "inf")
    text.remove_suffix(1);
  return text;
}

/// What may follow a parameter's name: ".field", "[3]", "[]".
bool is_field_path(std::string_view text) {
  while (!text.empty()) {
    const bool element = text.front() == '[';
    const std::size_t end = element ? text.find(']') : std::min(text.find_first_of(".[", 1), text.size());
    if (end == std::string_view::npos)
      return false;
    const std::string_view word = text.substr(1, end - 1);
    const auto fits = [&](char c) {
      return is_digit(c) || (!element && (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'));
    };
    if (!std::all_of(word.begin(), word.end(), fits) || (word.empty() && !element))
      return false;
    text.remove_prefix(end + (element ? 1 : 0));
    if (!text.empty() && text.front() != '.' && text.front() != '[')
      return false;
  }
  return true;
}

} // namespace

std::string_view strip(std::string_view text) {
  while (!text.empty() && is_space(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_space(text.back()))
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(strip(text.substr(0, at)));
    if (at == std::string_view::npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit) || !reads_whole(text, value, 10))
    return std::nullopt;
  return value;
}

std::optional<std::uint64_t> bounded_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product) || product > max_count)
    return std::nullopt;
  return product;
}

bool is_argument_name(std::string_view text) {
  const std::size_t path = std::min(text.find_first_of(".["), text.size());
  if (!is_field_path(text.substr(path)))
    return false;
  text = text.substr(0, path);
  if (text.empty())
    return false;
  if (std::all_of(text.begin(), text.end(), is_digit))
    return text.size() <= 4;
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  return !is_digit(text.front()) && std::all_of(text.begin(), text.end(), is_word);
}

bool is_argument_key(std::string_view text) {
  while (true) {
    const std::size_t plus = text.rfind('+');
    if (plus == std::string_view::npos)
      break;
    if (!whole_number(text.substr(plus + 1)))
      return false;
    text = text.substr(0, plus);
  }
  if (!text.starts_with(':'))
    return is_argument_name(text);
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
  };
  return text.size() > 1 && std::all_of(text.begin() + 1, text.end(), is_of_name);
}

std::optional<std::string> normal_number(std::string_view text) {
  text = strip(text);
  if (text == "true")
    return "1";
  if (text == "false")
    return "0";
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+'))
    text.remove_prefix(1);
  if (text.empty() || text.front() == '-' || text.front() == '+')
    return std::nullopt;
  if (text.starts_with("0x") || text.starts_with("0X"))
    return hexadecimal(text.substr(2), negative);
  text = without_suffix(text);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool named = text == "inf" || text == "nan";
  if (end != text.data() + text.size() || (error != std::errc() && !named))
    return std::nullopt;
  if (!named && !is_digit(text.front()) && text.front() != '.')
    return std::nullopt;
  return std::string(negative ? "-" : "") + std::string(text);
}

} // namespace forewarp::launch
