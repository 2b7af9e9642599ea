#include "gpu/schema/schema.h"

#include "support/named.h"
#include "support/suggest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <sstream>

namespace forewarp::gpu {
namespace {

constexpr std::array<std::string_view, 7> source_names = {
    "datasheet", "whitepaper", "microbenchmark", "paper", "derived", "proxy", "assumed"};

bool is_unit_name(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string_view::npos;
}

/// What stands for '*' of `pattern` in `key`; nullopt: no match.
std::optional<std::string_view> star_of(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  const std::string_view head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  if (key.size() <= head.size() + tail.size() || !key.starts_with(head) || !key.ends_with(tail))
    return std::nullopt;
  return key.substr(head.size(), key.size() - head.size() - tail.size());
}

Result<void> check_word(const KeyRule& rule, std::string_view key, const std::string& word) {
  if (rule.words.empty())
    return {};
  std::vector<std::string> words;
  std::istringstream all{std::string(rule.words)};
  for (std::string one; all >> one;)
    words.push_back(one);
  if (std::find(words.begin(), words.end(), word) != words.end())
    return {};
  return fail(ErrorCode::bad_input, fmt::format("'{}' is '{}'", key, word), {}, hint_for(word, words));
}

Result<void> check_number(const KeyRule& rule, std::string_view key, double number) {
  if (std::isfinite(number) && number >= rule.least && number <= rule.most)
    return {};
  return fail(ErrorCode::bad_input,
              fmt::format("'{}' is {} {}, outside {} to {}", key, number, rule.unit, rule.least, rule.most),
              {}, "check the number and its unit");
}

ValueKind kind_of(const Value& value) {
  if (std::holds_alternative<double>(value.value))
    return ValueKind::number;
  return std::holds_alternative<std::string>(value.value) ? ValueKind::text : ValueKind::list;
}

} // namespace

std::optional<KeyRule> rule_of(std::string_view key) {
  for (const KeyRule& rule : key_rules()) {
    if (rule.key == key && rule.key.find('*') == std::string_view::npos)
      return rule;
    if (rule.key.find('*') == std::string_view::npos)
      continue;
    const auto star = star_of(rule.key, key);
    if (!star)
      continue;
    const bool known =
        rule.key.starts_with("unit.") ? is_unit_name(*star) : facts::op_class_from_string(*star).has_value();
    if (known)
      return rule;
  }
  return std::nullopt;
}

std::vector<std::string> nearest_keys(std::string_view key) {
  std::vector<std::string> names;
  for (const KeyRule& rule : key_rules()) {
    const std::size_t star = rule.key.find('*');
    if (star == std::string_view::npos) {
      names.emplace_back(rule.key);
    } else if (!rule.key.starts_with("unit.")) {
      for (int op = 0; op < facts::op_class_count; ++op)
        names.push_back(op_key(rule.key.substr(0, star), static_cast<facts::OpClass>(op)));
    }
  }
  return nearest_names(key, names);
}

std::optional<ValueSource> source_from_string(std::string_view name) {
  for (std::size_t i = 0; i < source_names.size(); ++i)
    if (source_names[i] == name)
      return static_cast<ValueSource>(i);
  return std::nullopt;
}

std::string_view to_string(ValueSource source) {
  return source_names[static_cast<std::size_t>(source)];
}

std::string_view to_string(ValueKind kind) {
  return kind == ValueKind::number ? "a number" : kind == ValueKind::text ? "a string" : "a list of numbers";
}

Result<void> check_value(const KeyRule& rule, std::string_view key, const Value& value) {
  if (kind_of(value) != rule.kind)
    return fail(
        ErrorCode::bad_input,
        fmt::format("'{}' is {}, wanted {}", key, to_string(kind_of(value)), to_string(rule.kind)), {},
        fmt::format("write {} = {{ value = ..., unit = \"{}\", source = ..., ref = ... }}", key, rule.unit));
  if (value.unit != rule.unit)
    return fail(ErrorCode::bad_input, fmt::format("'{}' has unit '{}'", key, value.unit), {},
                fmt::format("its unit is '{}'; convert the value", rule.unit));
  if (const std::string* word = std::get_if<std::string>(&value.value))
    return check_word(rule, key, *word);
  if (const double* number = std::get_if<double>(&value.value))
    return check_number(rule, key, *number);
  if (const auto* list = std::get_if<std::vector<double>>(&value.value))
    for (const double number : *list)
      FOREWARP_TRY(check_number(rule, key, number));
  return {};
}

std::string op_key(std::string_view family, facts::OpClass op) {
  return std::string(family) + std::string(facts::to_string(op));
}

} // namespace forewarp::gpu
