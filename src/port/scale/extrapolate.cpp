#include "port/scale/extrapolate.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace forewarp::port {
namespace {

constexpr int max_degree = 3;

/// Lagrange's polynomial through the first `count` points.
double interpolate(const std::vector<double>& sizes, const std::vector<double>& values, std::size_t count,
                   double at) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double term = values[i];
    for (std::size_t j = 0; j < count; ++j)
      if (j != i)
        term *= (at - sizes[j]) / (sizes[i] - sizes[j]);
    sum += term;
  }
  return sum;
}

bool meets_all(const std::vector<double>& sizes, const std::vector<double>& values, std::size_t count) {
  double largest = 0;
  for (const double value : values)
    largest = std::max(largest, std::abs(value));
  for (std::size_t i = count; i < sizes.size(); ++i)
    if (std::abs(interpolate(sizes, values, count, sizes[i]) - values[i]) > 1e-9 * largest)
      return false;
  return true;
}

double power_law(double size1, double value1, double size2, double value2, double at) {
  if (value1 <= 0 || value2 <= 0)
    return value1;
  const double exponent = std::log(value1 / value2) / std::log(size1 / size2);
  return value1 * std::pow(at / size1, exponent);
}

} // namespace

Extrapolation extrapolate(const std::vector<double>& sizes, const std::vector<double>& values,
                          double target) {
  const std::size_t runs = sizes.size();
  if (runs == 1 || target == sizes[0])
    return {.value = values[0], .confirmed = target == sizes[0]};
  for (std::size_t count = 1; count < runs && count <= max_degree + 1; ++count)
    if (meets_all(sizes, values, count))
      return {.value = interpolate(sizes, values, count, target),
              .confirmed = true,
              .degree = static_cast<int>(count) - 1};
  Extrapolation out{.value = power_law(sizes[0], values[0], sizes[1], values[1], target), .degree = -1};
  if (runs > 2 && values[0] > 0)
    out.error = power_law(sizes[1], values[1], sizes[2], values[2], sizes[0]) / values[0] - 1;
  return out;
}

} // namespace forewarp::port
