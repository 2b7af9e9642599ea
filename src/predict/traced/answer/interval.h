// How sure an answer is: the 90 % interval around the predicted time.
#pragma once

#include "facts/prediction.h"
#include "predict/traced/hybrid.h"

#include <array>

namespace forewarp::predict::hybrid {

/// Standard deviation of ln(predicted / measured) of this model's times, by what limits the kernel: a counted
/// resource at a measured rate is known better than waiting is, and L2 least. Read off the rows of
/// docs/results/accuracy.md (section Intervals).
double model_sigma(facts::Limiter limiter);

/// Multiplicative, symmetric in the logarithm: time / f .. time * f with f = exp(1.645 sigma). sigma joins
/// the model's own error `own_sigma`, the sampling error, and terms for values that were unknown or
/// assumed.
std::array<double, 2> interval_ms(double time_ms, double own_sigma, const Facts& facts);

} // namespace forewarp::predict::hybrid
