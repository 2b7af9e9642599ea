// Which comparisons and alternatives of a condition say nothing beside the others.
#pragma once

#include "symbolic/conditions/condition.h"

namespace forewarp::symbolic {

/// Alternatives that others contain are taken out, and comparisons of one alternative that others imply,
/// where the difference of two compared values is a number.
Condition reduced(const Condition& a);

/// As reduced, where sums of two compared values and the ranges show it.
Condition reduced(const Condition& a, const Ranges& ranges);

} // namespace forewarp::symbolic
