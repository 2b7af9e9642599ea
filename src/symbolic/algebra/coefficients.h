// What the coefficients of an expression share.
#pragma once

#include "symbolic/algebra/expression.h"

namespace forewarp::symbolic {

/// Least common denominator of all coefficients.
Wide denominator_of(const Expression& a);
/// Greatest common divisor of the (whole) coefficients of all terms but the constant.
Wide content_of(const Expression& a);
bool has_whole_coefficients(const Expression& a);

} // namespace forewarp::symbolic
