#include "explore/space/parameter.h"

#include "explore/space/range.h"
#include "launch/parse.h"
#include "launch/words.h"
#include "support/expression.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace forewarp::explore {
namespace {

constexpr const char* values_hint =
    "values are lists a,b,c, ranges lo:hi:+step or lo:hi:xfactor, and expressions of other parameters";

struct LaunchName {
  const char* name;
  Role role;
  bool has_components;
};
constexpr std::array<LaunchName, 6> launch_names = {{{"global", Role::global, true},
                                                     {"local", Role::local, true},
                                                     {"block", Role::local, true},
                                                     {"grid", Role::grid, true},
                                                     {"dynamic_shared", Role::dynamic_shared, false},
                                                     {"dynamic-shared", Role::dynamic_shared, false}}};

/// Role and component of a launch name; false for any other.
bool set_launch_role(Parameter& parameter) {
  for (const LaunchName& known : launch_names) {
    const std::string_view name = parameter.name, root = known.name;
    if (name == root || (known.has_components && name.size() == root.size() + 2 && name.starts_with(root) &&
                         name[root.size()] == '.' && name.back() >= 'x' && name.back() <= 'z')) {
      parameter.role = known.role;
      parameter.component = name == root ? -1 : name.back() - 'x';
      return true;
    }
  }
  return false;
}

bool takes_dims(const Parameter& parameter) {
  return parameter.component < 0 &&
         (parameter.role == Role::global || parameter.role == Role::local || parameter.role == Role::grid);
}

bool is_quoted(std::string_view text) {
  return text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
}

bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.';
  });
}

Result<Choice> parse_choice(const Parameter& parameter, const Piece& piece) {
  const std::string text(launch::strip(piece.text));
  Choice choice{Choice::Kind::literal, text, piece.offset + 1, {text}};
  if (text.empty())
    return parameter_error(parameter.name, choice.column, "an empty value", values_hint);
  if (is_quoted(text)) {
    choice.text = choice.value.text = text.substr(1, text.size() - 2);
  } else if (const auto number = as_number(text)) {
    if (!std::isfinite(*number))
      return parameter_error(parameter.name, choice.column, fmt::format("{} is too large for a number", text),
                             "put quotes around a value that is a word");
    choice.value = number_value(*number);
  } else if (takes_dims(parameter) && text.find('x') != std::string::npos &&
             std::all_of(text.begin(), text.end(),
                         [](unsigned char c) { return std::isdigit(c) != 0 || c == 'x'; })) {
    const auto size = launch::parse_dim3(text, "--space " + parameter.name);
    FOREWARP_TRY(size);
    choice.value = {text, true, static_cast<double>(size->count())};
  } else {
    choice.kind =
        text.find('{') != std::string::npos || text.find(':') != std::string::npos || text.starts_with('@')
            ? Choice::Kind::text_template
            : Choice::Kind::expression;
  }
  return choice;
}

} // namespace

const char* to_string(Role role) {
  switch (role) {
  case Role::define:
    return "define";
  case Role::value:
    return "value";
  case Role::argument:
    return "argument";
  case Role::global:
    return "global";
  case Role::local:
    return "local";
  case Role::grid:
    return "grid";
  case Role::dynamic_shared:
    return "dynamic_shared";
  }
  return "define";
}

Value number_value(double number) {
  constexpr double exact = 9007199254740992.0; // 2^53
  const bool whole = number == std::floor(number) && std::fabs(number) < exact;
  return {whole ? fmt::format("{}", static_cast<std::int64_t>(number)) : fmt::format("{}", number), true,
          number};
}

double Range::at(std::uint64_t index) const {
  if (!geometric)
    return low + static_cast<double>(index) * step;
  double value = low;
  for (std::uint64_t i = 0; i < index; ++i)
    value *= step;
  return value;
}

std::vector<Piece> split_outside_brackets(const std::string& text, char separator) {
  std::vector<Piece> pieces(1);
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0)
      quote = c == quote ? 0 : quote;
    else if (c == '\'' || c == '"')
      quote = c;
    else if (c == '(' || c == '[' || c == '{')
      ++depth;
    else if (c == ')' || c == ']' || c == '}')
      --depth;
    if (c == separator && depth == 0 && quote == 0)
      pieces.push_back({"", i + 1});
    else
      pieces.back().text += c;
  }
  return pieces;
}

std::string without_dots(std::string text) {
  for (std::size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == '.' && std::isalpha(static_cast<unsigned char>(text[i - 1])) != 0 && text[i + 1] >= 'x' &&
        text[i + 1] <= 'z')
      text[i] = '_';
  return text;
}

Result<Parameter> parse_parameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  Parameter parameter;
  parameter.name = std::string(launch::strip(std::string_view(text).substr(0, equals)));
  if (equals == std::string::npos || parameter.name.empty())
    return fail(ErrorCode::usage, fmt::format("'{}' is not NAME=VALUES", text), "--space", values_hint);
  if (!set_launch_role(parameter) && !launch::is_argument_name(parameter.name))
    return parameter_error(parameter.name, 1, fmt::format("'{}' is no name of a parameter", parameter.name),
                           "a define, a kernel argument, or global, local, grid, block (also .x, .y, .z), "
                           "dynamic_shared");
  for (Piece& piece : split_outside_brackets(text.substr(equals + 1), ',')) {
    piece.offset += equals + 1;
    const auto range = parse_range(parameter.name, piece);
    FOREWARP_TRY(range);
    if (*range) {
      if (parameter.range.count > 0)
        return parameter_error(parameter.name, piece.offset + 1, "a second range",
                               "a range stands alone; write a list instead");
      parameter.range = **range;
      continue;
    }
    auto choice = parse_choice(parameter, piece);
    FOREWARP_TRY(choice);
    parameter.choices.push_back(*std::move(choice));
  }
  if (parameter.range.count > 0 && !parameter.choices.empty())
    return parameter_error(parameter.name, equals + 2, "a range among other values",
                           "a range stands alone; write a list instead");
  return parameter;
}

Result<void> settle_choices(Parameter& parameter, const std::set<std::string>& names) {
  for (Choice& choice : parameter.choices) {
    if (choice.kind != Choice::Kind::expression)
      continue;
    const std::string where = fmt::format("--space {}", parameter.name);
    if (is_word(choice.text) && !names.contains(without_dots(choice.text))) {
      choice.kind = Choice::Kind::literal; // a define that is a word: TYPE=float,double
      continue;
    }
    const auto expression = Expression::parse(without_dots(choice.text), where, choice.column);
    if (!expression)
      return fail(ErrorCode::usage, expression.error().message, expression.error().where,
                  "put quotes around a value that is no expression");
    for (const std::string& name : expression->names())
      if (!names.contains(name))
        return parameter_error(parameter.name, choice.column + without_dots(choice.text).find(name),
                               fmt::format("'{}' uses '{}', which is no parameter", choice.text, name),
                               "put quotes around a value that is no expression");
  }
  return {};
}

} // namespace forewarp::explore
