// What an expression can be, given what its symbols can be; and what becomes simpler by it.
#pragma once

#include "symbolic/algebra/expression.h"

#include <map>
#include <optional>
#include <string>

namespace forewarp::symbolic {

/// Both ends belong to it; none: no end known.
struct Interval {
  std::optional<Rational> low, high;
  static Interval exactly(const Rational& value) { return {value, value}; }
  bool operator==(const Interval&) const = default;
};
using Ranges = std::map<std::string, Interval>; ///< by symbol

/// An interval that holds every value of `a`; each symbol is taken to move by itself, so it may be too wide.
Interval bounds(const Expression& a, const Ranges& ranges);
bool never_negative(const Expression& a, const Ranges& ranges);

/// The same value at every point of the ranges: conditions that always hold or never do, minima and maxima of
/// which one side always wins, and divisions whose result is one number are replaced.
Expression simplify(const Expression& a, const Ranges& ranges);

/// The largest value of `a` while `symbol` goes from `low` to `high`: a bound where the symbol occurs more
/// than once, beyond the algebra where `a` neither rises nor falls with it in a way that is seen.
Expression largest(const Expression& a, const std::string& symbol, const Expression& low,
                   const Expression& high, const Ranges& ranges);

} // namespace forewarp::symbolic
