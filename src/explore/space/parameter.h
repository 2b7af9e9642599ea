// One named parameter of a design space and the values that it may take.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace forewarp::explore {

/// What a parameter sets; `value` is one of the launch file's [values].
enum class Role { define, value, argument, global, local, grid, dynamic_shared };
const char* to_string(Role role);

/// A value of one configuration: its text, and its number where it has one.
struct Value {
  std::string text;
  bool is_number = false;
  double number = 0;
};
/// Whole numbers without decimals, others with as many digits as they need.
Value number_value(double number);

/// One of a parameter's values as it was written.
struct Choice {
  enum class Kind : std::uint8_t { literal, expression, text_template } kind = Kind::literal;
  std::string text;
  std::size_t column = 0; ///< where it begins in "NAME=VALUES", counted from 1
  Value value;            ///< of a literal
};

/// lo:hi:+step or lo:hi:xfactor, never written out.
struct Range {
  double low = 0, step = 0;
  bool geometric = false;
  std::uint64_t count = 0; ///< 0: no range
  double at(std::uint64_t index) const;
};

struct Parameter {
  std::string name;
  Role role = Role::define;
  int component = -1; ///< 0, 1, 2 for local.x, local.y, local.z
  std::vector<Choice> choices;
  Range range;
  std::uint64_t size() const { return range.count > 0 ? range.count : choices.size(); }
};

/// "NAME=VALUES". Roles of names that are not the launch's are not decided here (`define`).
/// Errors: usage, with parameter and column.
Result<Parameter> parse_parameter(const std::string& text);

/// Decides which choices are expressions once all names are known: those that use one of `names`, or
/// arithmetic. `where`: "--space NAME". Errors: usage, with parameter and column.
Result<void> settle_choices(Parameter& parameter, const std::set<std::string>& names);

/// Pieces between `separator`s that stand outside of brackets and quotes, with the place of each.
struct Piece {
  std::string text;
  std::size_t offset = 0;
};
std::vector<Piece> split_outside_brackets(const std::string& text, char separator);

/// Names with dots ("local.x") as muParser knows them ("local_x"); the length stays, so columns do.
std::string without_dots(std::string text);

} // namespace forewarp::explore
