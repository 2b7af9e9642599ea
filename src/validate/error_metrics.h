// How far a model is from measurements (P section 6.3), and rank agreement.
#pragma once

#include "support/result.h"

#include <vector>

namespace forewarp::validate {

/// Mean absolute percentage error: mean of |model - real| / real, in percent. (P's print lacks 1/n and
/// divides outside the sum.) Errors: bad_input for lists that are empty, of different lengths, or a real
/// value that is not positive.
Result<double> mape_percent(const std::vector<double>& model, const std::vector<double>& real);

/// MAPE-shape: the same after the least-squares line in `occupancy` through model - real has been taken off,
/// so that a constant offset and drift do not count. One distinct occupancy: the line is the mean.
Result<double> mape_shape_percent(const std::vector<double>& occupancy, const std::vector<double>& model,
                                  const std::vector<double>& real);

/// Kendall's tau-b: 1 same order, -1 opposite; ties in either list are taken out of the count. 0 where a list
/// is constant.
Result<double> kendall_tau(const std::vector<double>& a, const std::vector<double>& b);

} // namespace forewarp::validate
