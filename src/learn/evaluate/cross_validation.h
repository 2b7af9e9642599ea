// What a learner is worth on rows that it has not seen, beside the simplest answer to the same question.
#pragma once

#include "learn/evaluate/scores.h"
#include "learn/evaluate/splits.h"
#include "learn/model/dynamic_model.h"
#include "learn/model/static_model.h"

namespace forewarp::learn {

/// One tested row of a regression.
struct TestedTime {
  std::size_t row = 0;
  double predicted_ms = 0;
  double error = 0;                 ///< of the speed-up
  double mean_error = 0;            ///< the same of the training rows' mean time per instruction
  std::vector<double> all_ms;       ///< of all models
  double least_ms = 0, most_ms = 0; ///< between which a prediction is held
};

/// Of the two means, arithmetic and geometric, the one that is nearer over all tested rows stands for "the
/// mean". Errors: as train_dynamic.
Result<std::vector<std::vector<TestedTime>>>
test_dynamic(const TrainingTable& table, const std::vector<Split>& splits, const DynamicOptions& options);

struct TimeScore {
  std::size_t rows = 0;
  double mean_error = 0, median_error = 0, worst_error = 0;
  double baseline_error = 0; ///< mean error of the mean time per instruction
};
TimeScore score_times(const std::vector<std::vector<TestedTime>>& tested);

/// The class of each tested row, in the order of the splits. Rows whose training part has one class get that
/// class.
struct TestedClasses {
  std::vector<std::size_t> rows;
  std::vector<int> truth, said, id3; ///< id3: what a single tree by Eq. 4.1 says
};
Result<TestedClasses> test_static(const TrainingTable& table, const std::vector<Split>& splits,
                                  const StaticOptions& options);

} // namespace forewarp::learn
