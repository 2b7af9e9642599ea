// Which sizes stay open, and the launch as a function of them.
#pragma once

#include "facts/launch.h"
#include "launch/launch_texts.h"
#include "support/result.h"
#include "symbolic/conditions/condition.h"

#include <optional>

namespace forewarp::formula {

/// A size left open: a name of the launch file's [values], or a scalar parameter.
struct Symbol {
  std::string name;
  std::int64_t low = 1, high = 1; ///< the formula is made and checked there
  std::int64_t step = 1;          ///< low, low + step, ...
  std::int64_t reference = 1;     ///< the launch's own value, or the nearest in the range
};

/// "NAME", "NAME=LOW:HIGH" or "NAME=LOW:HIGH:+STEP". Without a range: from an eighth of the launch's value to
/// eight times it, in steps of the largest power of two up to 32 that divides it. Errors: usage.
Result<Symbol> parse_symbol(const std::string& text, const std::optional<launch::LaunchTexts>& texts,
                            const facts::Launch& launch);

/// Holds while value >= 0 or, with a divisor, while it divides the value; and where nothing asks for it.
struct Constraint {
  std::string text; ///< "n >= 1", "n is a multiple of 16"
  symbolic::Expression value;
  std::int64_t divisor = 0;
  /// Asked for where some work-item meets it.
  symbolic::Condition when = symbolic::Condition::always();
  bool holds(const std::map<std::string, std::int64_t>& at) const;
};

} // namespace forewarp::formula
