// XAPP's static predictor: the range of the speed-up from features of the text (Ardalani, dissertation 2016,
// chapter 4).
#pragma once

#include "learn/classes/discretise.h"
#include "learn/classes/grow.h"
#include "learn/training_rows.h"

#include <string>
#include <vector>

namespace forewarp::learn {

struct StaticOptions {
  std::vector<double> cutoffs = {3}; ///< ascending; a speed-up of 3 is in the lower class
  unsigned levels = 2;               ///< of each feature: 2 or 3
  GrowOptions grow;
  unsigned explanation_depth = 6; ///< of the single tree that approximates the forest
};

struct LevelledFeature {
  std::string name;
  std::vector<double> cuts; ///< none: it was constant in training
};

struct StaticModel {
  std::vector<double> cutoffs;
  std::vector<LevelledFeature> features;
  std::vector<Tree> forest;
  Approximation explanation;
  int classes() const { return static_cast<int>(cutoffs.size()) + 1; }
  std::vector<int> levels_of(const std::vector<double>& features_in_order) const;
};

struct StaticPrediction {
  int range = 0;               ///< class of the speed-up
  std::vector<unsigned> votes; ///< of the trees, by class, for the first vector
  double agreement = 1;        ///< share of the vectors that have this class
  std::vector<int> levels;     ///< of the first vector
  std::vector<TreeStep> path;  ///< of the first vector in the approximating tree
  int path_range = 0;          ///< what that tree says; may differ from the forest
};

/// Features of every row at their levels, speed-ups as classes.
ClassData class_data(const TrainingTable& table, const StaticModel& model);

/// Errors (bad_input): too few rows, a row without CPU time, cutoffs that do not ascend, one class only, no
/// feature that varies, too many of them (26). As grow_forest.
Result<StaticModel> train_static(const TrainingTable& table, const StaticOptions& options);

/// The forest alone, without the tree that explains it; all rows may be of one class. Errors: as grow_forest.
Result<StaticModel> train_forest(const TrainingTable& table, const StaticOptions& options);

/// Errors (bad_input): cutoffs that are no positive ascending numbers, levels that are neither 2 nor 3.
Result<void> check_static_options(const StaticOptions& options);

/// `vectors`: what the features may be, the expected one first; the class is that of most of them
/// (section 6.2.4), the first one's where several are equal. `names`: theirs; those of the model must be
/// among them. Errors (bad_input): a feature is missing.
Result<StaticPrediction> predict_static(const StaticModel& model, const std::vector<std::string>& names,
                                        const std::vector<std::vector<double>>& vectors);

} // namespace forewarp::learn
