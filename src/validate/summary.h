// How far the predictions of a suite are from its measurements.
#pragma once

#include "validate/runner.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::validate {

struct StageSummary {
  std::string stage;
  std::size_t rows = 0;
  double median_error_percent = 0; ///< |predicted - measured| / measured; occupancy: points of 100
  double bias_percent = 0;         ///< median of the signed error
};

struct MethodSummary {
  std::string method;   ///< "forewarp" or a baseline
  std::size_t rows = 0; ///< a model may lack a fact in some
  double mape_percent = 0, median_percent = 0, bias_percent = 0;
  /// MAPE-shape over resident warps (models::mape_shape_percent); spaces of at least 5 rows and 3
  /// occupancies.
  std::optional<double> shape_percent;
  std::optional<double> tau, best_slowdown; ///< as SpaceSummary's
};

/// One (kernel, GPU) space, or a total over several.
struct SpaceSummary {
  std::string kernel, gpu;
  std::optional<Standing> standing; ///< of the row that is nearest to what predictions were made from
  std::size_t rows = 0, left_out = 0, long_rows = 0; ///< long: measured time of at least 20 us
  double mape_percent = 0, median_percent = 0;
  double bias_percent = 0; ///< median signed error
  double long_mape_percent = 0, long_median_percent = 0;
  std::optional<double> shape_percent; ///< as MethodSummary's
  /// Kendall's tau-b (0 where all predictions are equal); none of a single row.
  std::optional<double> tau;
  std::optional<double> best_slowdown;  ///< measured time of the predicted best / of the true best
  std::optional<std::size_t> best_rank; ///< rank of the predicted best by measured time, 1 = best
  double covered_share = 0;             ///< rows whose interval holds the measured time
  std::vector<StageSummary> stages;
  std::vector<MethodSummary> methods;
};

inline constexpr double long_kernel_ms = 0.020;

/// Over several spaces.
struct Total {
  /// shape, tau, best_*: medians over the spaces of at least 5 rows, none where no space has them.
  SpaceSummary space;
  std::optional<double> best_within_10_percent_share; ///< of those spaces
};

struct SuiteSummary {
  std::string name, title;
  std::vector<SpaceSummary> spaces; ///< by kernel, then GPU
  Total total;
  std::map<Standing, Total> by_standing; ///< only of standings that rows have
};

SuiteSummary summarize(const SuiteResult& result);

} // namespace forewarp::validate
