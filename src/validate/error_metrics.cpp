#include "validate/error_metrics.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace forewarp::validate {
namespace {

Result<void> check_lengths(std::size_t a, std::size_t b) {
  if (a != b || a == 0)
    return fail(ErrorCode::bad_input,
                fmt::format("{} and {} values to compare; equal and positive numbers are needed", a, b));
  return {};
}
Result<void> check_real(const std::vector<double>& real) {
  for (std::size_t i = 0; i < real.size(); ++i)
    if (!(real[i] > 0))
      return fail(ErrorCode::bad_input,
                  fmt::format("measured value {} is {}; it must be positive", i + 1, real[i]));
  return {};
}

struct Line {
  double offset = 0, slope = 0;
};
Line least_squares(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
  const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  return {mean_y - slope * mean_x, slope};
}

} // namespace

Result<double> mape_percent(const std::vector<double>& model, const std::vector<double>& real) {
  FOREWARP_TRY(check_lengths(model.size(), real.size()));
  FOREWARP_TRY(check_real(real));
  double sum = 0;
  for (std::size_t i = 0; i < real.size(); ++i)
    sum += std::abs(model[i] - real[i]) / real[i];
  return 100 * sum / static_cast<double>(real.size());
}

Result<double> mape_shape_percent(const std::vector<double>& occupancy, const std::vector<double>& model,
                                  const std::vector<double>& real) {
  FOREWARP_TRY(check_lengths(model.size(), real.size()));
  FOREWARP_TRY(check_lengths(occupancy.size(), real.size()));
  FOREWARP_TRY(check_real(real));
  std::vector<double> differences;
  for (std::size_t i = 0; i < real.size(); ++i)
    differences.push_back(model[i] - real[i]);
  const Line line = least_squares(occupancy, differences);
  double sum = 0;
  for (std::size_t i = 0; i < real.size(); ++i)
    sum += std::abs(differences[i] - line.offset - line.slope * occupancy[i]) / real[i];
  return 100 * sum / static_cast<double>(real.size());
}

Result<double> kendall_tau(const std::vector<double>& a, const std::vector<double>& b) {
  FOREWARP_TRY(check_lengths(a.size(), b.size()));
  double score = 0, pairs_a = 0, pairs_b = 0;
  const auto sign = [](double x) { return (x > 0) - (x < 0); };
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      const int in_a = sign(a[j] - a[i]), in_b = sign(b[j] - b[i]);
      score += in_a * in_b;
      pairs_a += in_a != 0;
      pairs_b += in_b != 0;
    }
  return pairs_a > 0 && pairs_b > 0 ? score / std::sqrt(pairs_a * pairs_b) : 0;
}

} // namespace forewarp::validate
