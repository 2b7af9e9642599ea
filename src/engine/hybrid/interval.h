// How sure an answer is: the 90 % interval around the predicted time.
#pragma once

#include "engine/hybrid/hybrid.h"

#include <array>

namespace forewarp::engine::hybrid {

/// Multiplicative, symmetric in the logarithm: time / f .. time * f with f = exp(1.645 sigma). sigma joins
/// the model's own error (docs/results/accuracy.md says where it was measured), the sampling error, and terms
/// for values that were unknown or assumed.
std::array<double, 2> interval_ms(double time_ms, const Facts& facts);

} // namespace forewarp::engine::hybrid
