#include "learn/regression/bagging.h"

#include "support/counter_random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace forewarp::learn {

std::vector<std::size_t> bootstrap_rows(std::size_t rows, std::uint64_t seed, std::uint64_t index) {
  std::vector<std::size_t> drawn(rows);
  for (std::size_t i = 0; i < rows; ++i)
    drawn[i] = counter_random(counter_random(seed, index), i) % rows;
  return drawn;
}

std::vector<LinearModel> bagged_models(const RegressionData& data, const BaggingOptions& options) {
  std::vector<LinearModel> models;
  models.reserve(options.models);
  for (unsigned i = 0; i < options.models; ++i)
    models.push_back(
        forward_stepwise(data, bootstrap_rows(data.response.size(), options.seed, i), options.stepwise));
  return models;
}

MiddleRange middle_range(std::size_t values, double inclusion) {
  // At least the median: one value of an odd number, two of an even one.
  const std::size_t least = values % 2 == 0 ? 2 : 1;
  const auto wanted = static_cast<std::size_t>(std::lround(inclusion * static_cast<double>(values)));
  const std::size_t cut = (values - std::clamp(wanted, least, values)) / 2;
  return {cut, values - cut};
}

double middle_mean(std::vector<double> values, double inclusion) {
  std::sort(values.begin(), values.end());
  const MiddleRange range = middle_range(values.size(), inclusion);
  return std::accumulate(values.begin() + static_cast<long>(range.first),
                         values.begin() + static_cast<long>(range.last), 0.0) /
         static_cast<double>(range.last - range.first);
}

} // namespace forewarp::learn
