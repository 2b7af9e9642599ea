// Sums of floor divisions made one.
#pragma once

#include "symbolic/algebra/expression.h"

namespace forewarp::symbolic {

/// floor(x / d) + floor((x + s) / d) + .. of all d / s shifts is floor(x / s) (Hermite); d a number. The
/// warps of a group end as far apart.
Expression floors_together(const Expression& a);

} // namespace forewarp::symbolic
