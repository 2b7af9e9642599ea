#include "measure/run/timing.h"

#include <algorithm>
#include <chrono>

namespace forewarp::measure {
namespace {

/// Linear between the order statistics.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Series series_of(std::vector<double> times_us) {
  Series series;
  series.times_us = std::move(times_us);
  std::vector<double> sorted = series.times_us;
  std::sort(sorted.begin(), sorted.end());
  series.median_us = quantile(sorted, 0.5);
  series.minimum_us = sorted.front();
  if (series.median_us > 0)
    series.spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2 / series.median_us;
  return series;
}

Result<Series> repeat(const RepetitionRule& rule, const std::function<Result<double>()>& once) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<double> times;
  Series series;
  while (times.size() < rule.most) {
    const auto time = once();
    FOREWARP_TRY(time);
    times.push_back(*time);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    if (spent.count() > rule.seconds && times.size() >= rule.least_slow)
      break;
    if (times.size() >= rule.least && series_of(times).spread <= rule.spread)
      break;
  }
  return series_of(std::move(times));
}

nlohmann::json to_json(const Series& series) {
  return {{"times_us", series.times_us},
          {"median_us", series.median_us},
          {"minimum_us", series.minimum_us},
          {"spread", series.spread}};
}

} // namespace forewarp::measure
