// Repetitions until the spread is small.
#pragma once

#include "support/result.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace forewarp::measure {

/// When a series of repetitions ends.
struct RepetitionRule {
  unsigned least = 7, most = 60;
  double seconds = 0.8; ///< wall clock; at least `least_slow` repetitions are made all the same
  unsigned least_slow = 3;
  double spread = 0.005; ///< half the distance of the quartiles / median
};

inline constexpr RepetitionRule rule_of_sweeps{5, 15, 0.25, 2, 0.01}, rule_of_micro{5, 20, 0.25, 3, 0.003};

struct Series {
  std::vector<double> times_us; ///< in the order made
  double median_us = 0, minimum_us = 0, spread = 0;
};

/// Median, minimum and spread of the times. Not empty.
Series series_of(std::vector<double> times_us);

/// Calls `once` (device time in microseconds) by the rule.
Result<Series> repeat(const RepetitionRule& rule, const std::function<Result<double>()>& once);

nlohmann::json to_json(const Series& series);

} // namespace forewarp::measure
