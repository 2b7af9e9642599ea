// The dissertation's evaluation (chapters 5 to 7) on a table of training rows.
#pragma once

#include "learn/evaluate/cross_validation.h"

#include <string>
#include <utility>
#include <vector>

namespace forewarp::learn {

struct DynamicEvaluation {
  std::vector<double> set_errors; ///< mean error of each random set of ten, no relatives learned from
  TimeScore sets;                 ///< all tested rows of the sets
  TimeScore alone, related;       ///< leave-one-out, without and with relatives
  std::vector<std::pair<double, double>> inclusion;    ///< ratio; mean error of the sets
  std::vector<std::pair<std::string, unsigned>> terms; ///< how many of the models have the term, most first
  std::vector<std::pair<TestedTime, const TrainingRow*>> rows; ///< leave-one-out without relatives
};

struct EvaluationOptions {
  std::size_t sets = 100, set_size = 10;
  std::size_t interval_sets = 8; ///< drawn for each number of classes above two
  std::uint64_t seed = 1;
};

/// Errors: as train_dynamic. The table must outlive the answer.
Result<DynamicEvaluation> evaluate_dynamic(const TrainingTable& table, const DynamicOptions& options,
                                           const EvaluationOptions& evaluation);

struct CutoffScore {
  std::vector<double> cutoffs;
  ClassScore forest, id3;
  std::vector<std::string> wrong; ///< regions, of the forest
};

struct StaticEvaluation {
  CutoffScore at_three;
  std::vector<CutoffScore> quartiles; ///< of the measured speed-ups, one cutoff each
  std::vector<CutoffScore> sweep;     ///< cutoffs 1 to 100
  /// Two to five classes: accuracy over cutoff sets, and that of the most frequent class.
  struct Intervals {
    int classes = 0;
    double least = 0, mean = 0, most = 0, majority = 0;
  };
  std::vector<Intervals> intervals;
  std::vector<std::pair<std::string, double>>
      importance; ///< at three: share of all vectors whose class the feature decides
};

/// Leave-one-out over judged rows with CPU times. Errors: as train_static.
Result<StaticEvaluation> evaluate_static(const TrainingTable& table, Relatives relatives,
                                         const StaticOptions& options, const EvaluationOptions& evaluation);

/// Share of all vectors whose class changes when the feature's level alone does, by feature, most first.
std::vector<std::pair<std::string, double>> forest_importance(const StaticModel& model);

} // namespace forewarp::learn
