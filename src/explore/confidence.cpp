#include "explore/confidence.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace forewarp::explore {
namespace {

constexpr double z90 = 1.6448536269514722; // half width of 90 % in standard deviations
/// Errors of predictions have longer tails than a normal variable of the same 90 %: their standard deviation
/// is this many times its own (599 measured rows of 15 spaces, docs/guide/explore.md).
constexpr double tails = 1.3;
constexpr double far = 6; // standard deviations beyond which a normal variable does not lie

/// P(X > x) of a standard normal X.
double survival(double x) {
  return 0.5 * std::erfc(x / std::numbers::sqrt2);
}

/// Nodes of ln(time) from far below the best to where the best surely lies; `shift` nodes are ln(1 + within).
struct Grid {
  double low = 0, width = 0;
  std::size_t nodes = 0, shift = 0;
};

Grid make_grid(double best, double best_sigma, double widest, double within) {
  constexpr double cells_a_sigma = 30, most_shift = 200, most_nodes = 100'000;
  const double step = std::log1p(within);
  Grid grid;
  grid.shift =
      static_cast<std::size_t>(std::clamp(std::ceil(step * cells_a_sigma / widest), 1.0, most_shift));
  grid.width = step / static_cast<double>(grid.shift);
  grid.low = best - far * widest;
  const double cells = std::ceil((best + far * best_sigma - grid.low) / grid.width);
  grid.nodes = static_cast<std::size_t>(std::min(cells, most_nodes)) + 2;
  return grid;
}

/// Adds ln P(T > node) of one configuration to every node.
void add_survival(std::vector<double>& sums, const Grid& grid, const TimedConfiguration& configuration) {
  const double mean = std::log(configuration.time_ms);
  // Below, P is 1.
  const double first = (mean - far * configuration.sigma - grid.low) / grid.width;
  const auto begin = first <= 0 ? std::size_t{0} : static_cast<std::size_t>(first);
  for (std::size_t j = begin; j < sums.size(); ++j) {
    const double x = grid.low + static_cast<double>(j) * grid.width - mean;
    constexpr double none = -1e4; // ln 0, as far as sums of it go
    const double p = configuration.sigma > 0 ? survival(x / configuration.sigma) : x < 0 ? 1.0 : 0.0;
    sums[j] += p > 0 ? std::log(p) : none;
  }
}

/// P(none of the first is within reach of the least of the rest).
double failure(const std::vector<double>& all, const std::vector<double>& first, const Grid& grid) {
  const auto rest = [&](std::size_t j) { return std::exp(all[j] - first[j]); };
  double sum = 0, before = rest(0);
  for (std::size_t j = 0; j + 1 < grid.nodes; ++j) {
    const double after = rest(j + 1);
    sum += std::exp(first[j + grid.shift]) * std::max(before - after, 0.0);
    before = after;
  }
  return sum;
}

} // namespace

double sigma_of(double low_ms, double high_ms, double common) {
  if (low_ms <= 0 || high_ms <= low_ms)
    return 0;
  return tails * std::log(high_ms / low_ms) / (2 * z90) * std::sqrt(1 - common);
}

double probability_faster(const TimedConfiguration& b, const TimedConfiguration& a) {
  const double sigma = std::hypot(a.sigma, b.sigma);
  const double distance = std::log(b.time_ms / a.time_ms);
  return sigma > 0 ? survival(distance / sigma) : distance < 0 ? 1.0 : distance > 0 ? 0.0 : 0.5;
}

std::uint64_t configurations_to_measure(const ConfigurationStream& stream, const Confidence& confidence) {
  std::uint64_t count = 0;
  double best = 0, best_sigma = 0, widest = 0;
  stream([&](const TimedConfiguration& c) {
    if (count++ == 0) {
      best = std::log(c.time_ms);
      best_sigma = c.sigma;
    }
    widest = std::max(widest, c.sigma);
    return true;
  });
  if (count < 2 || widest <= 0)
    return std::min<std::uint64_t>(count, 1);
  const Grid grid = make_grid(best, best_sigma, widest, confidence.within);
  std::vector<double> all(grid.nodes + grid.shift, 0), first = all;
  stream([&](const TimedConfiguration& c) {
    add_survival(all, grid, c);
    return true;
  });
  std::uint64_t k = 0;
  stream([&](const TimedConfiguration& c) {
    add_survival(first, grid, c);
    ++k;
    return failure(all, first, grid) > 1 - confidence.sure;
  });
  return k;
}

} // namespace forewarp::explore
