// Sums of expressions over a variable, and the places where a monotone expression is not negative, as closed
// forms.
#pragma once

#include "symbolic/algebra/ranges.h"

namespace forewarp::symbolic {

/// `low` <= variable <= `high`; no end: every value in that direction.
struct Solution {
  std::optional<Expression> low, high;
};

/// The values of `variable` with a >= 0. Solved are A v + B, A 2^(alpha v + beta) + B and
/// A floor(B / 2^(alpha v + beta)) + C with numbers A and alpha (W, Definition 9); nothing otherwise.
std::optional<Solution> where_not_negative(const Expression& a, const std::string& variable,
                                           const Ranges& ranges);

/// Terms that may be added one by one where no closed form is known (W: the threshold on the cost that is
/// known in advance).
constexpr std::int64_t most_steps = 4096;

/// Sum of `a` over low <= variable < end; no end: conditions in `a` have to give one. Powers of the variable
/// up to 4, powers of two, conditions that where_not_negative solves, floor divisions by numbers up to 64,
/// minima and maxima. An empty range sums to 0. Beyond the algebra otherwise, with the reason.
Expression sum_over(const Expression& a, const std::string& variable, const Expression& low,
                    const std::optional<Expression>& end, const Ranges& ranges);

} // namespace forewarp::symbolic
