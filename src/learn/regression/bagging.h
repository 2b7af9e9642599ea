// Many regressions on bootstrap samples, and the mean of those that agree (section 3.3.2, level 2).
#pragma once

#include "learn/regression/stepwise.h"

#include <cstdint>

namespace forewarp::learn {

struct BaggingOptions {
  unsigned models = 100;
  std::uint64_t seed = 1;
  StepwiseOptions stepwise;
};

/// `rows` row numbers below `rows`, drawn with replacement; sample `index` of the seed.
std::vector<std::size_t> bootstrap_rows(std::size_t rows, std::uint64_t seed, std::uint64_t index);

/// One model for each bootstrap sample of all rows.
std::vector<LinearModel> bagged_models(const RegressionData& data, const BaggingOptions& options);

/// Which of the sorted values count: [first, last). `inclusion` 0.6: 30 % on each side of the median; 0: the
/// one or two in the middle; 1: all.
struct MiddleRange {
  std::size_t first = 0, last = 0;
};
MiddleRange middle_range(std::size_t values, double inclusion);

/// Arithmetic mean of the middle ones; `values` must not be empty.
double middle_mean(std::vector<double> values, double inclusion);

} // namespace forewarp::learn
