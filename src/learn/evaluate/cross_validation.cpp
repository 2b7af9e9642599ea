#include "learn/evaluate/cross_validation.h"

#include "learn/classes/id3.h"

#include <algorithm>
#include <cmath>

namespace forewarp::learn {
namespace {

struct MeanRates {
  double arithmetic = 0, geometric = 0; ///< ms an instruction
};

MeanRates mean_rates(const TrainingTable& table, std::size_t multiplier) {
  MeanRates means;
  for (const TrainingRow& row : table.rows) {
    const double rate = row.gpu_ms / row.features[multiplier];
    means.arithmetic += rate / static_cast<double>(table.rows.size());
    means.geometric += std::log(rate) / static_cast<double>(table.rows.size());
  }
  means.geometric = std::exp(means.geometric);
  return means;
}

} // namespace

Result<std::vector<std::vector<TestedTime>>>
test_dynamic(const TrainingTable& table, const std::vector<Split>& splits, const DynamicOptions& options) {
  std::vector<std::vector<TestedTime>> tested;
  double arithmetic = 0, geometric = 0;
  std::vector<std::vector<double>> geometric_errors;
  for (const Split& split : splits) {
    const TrainingTable train = rows_of(table, split.train);
    const auto model = train_dynamic(train, options);
    FOREWARP_TRY(model);
    const auto multiplier = static_cast<std::size_t>(table.feature(options.multiplier));
    const int counted = table.feature("ninst");
    const auto counter = counted < 0 ? multiplier : static_cast<std::size_t>(counted);
    const MeanRates means = mean_rates(train, counter);
    auto& set = tested.emplace_back();
    auto& other = geometric_errors.emplace_back();
    for (const std::size_t row : split.test) {
      const TrainingRow& truth = table.rows[row];
      auto prediction = predict_dynamic(*model, table.names, truth.features);
      FOREWARP_TRY(prediction);
      const double instructions = truth.features[counter], base = truth.features[multiplier];
      set.push_back({row, prediction->gpu_ms, speedup_error(truth.gpu_ms, prediction->gpu_ms),
                     speedup_error(truth.gpu_ms, means.arithmetic * instructions),
                     std::move(prediction->all_ms), model->lowest_rate * base, model->highest_rate * base});
      other.push_back(speedup_error(truth.gpu_ms, means.geometric * instructions));
      arithmetic += set.back().mean_error;
      geometric += other.back();
    }
  }
  if (geometric < arithmetic)
    for (std::size_t i = 0; i < tested.size(); ++i)
      for (std::size_t j = 0; j < tested[i].size(); ++j)
        tested[i][j].mean_error = geometric_errors[i][j];
  return tested;
}

TimeScore score_times(const std::vector<std::vector<TestedTime>>& tested) {
  std::vector<double> errors, baseline;
  for (const auto& set : tested)
    for (const TestedTime& one : set) {
      errors.push_back(one.error);
      baseline.push_back(one.mean_error);
    }
  TimeScore score;
  score.rows = errors.size();
  score.mean_error = mean(errors);
  score.median_error = median(errors);
  score.worst_error = errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
  score.baseline_error = mean(baseline);
  return score;
}

Result<TestedClasses> test_static(const TrainingTable& table, const std::vector<Split>& splits,
                                  const StaticOptions& options) {
  TestedClasses tested;
  for (const Split& split : splits) {
    const TrainingTable train = rows_of(table, split.train), test = rows_of(table, split.test);
    const auto model = train_forest(train, options);
    FOREWARP_TRY(model);
    const Tree single = id3_tree(class_data(train, *model));
    const ClassData wanted = class_data(test, *model);
    for (std::size_t i = 0; i < wanted.classes.size(); ++i) {
      tested.rows.push_back(split.test[i]);
      tested.truth.push_back(wanted.classes[i]);
      tested.said.push_back(winner(votes_of(model->forest, wanted.levels[i], model->classes())));
      tested.id3.push_back(single.classify(wanted.levels[i]));
    }
  }
  return tested;
}

} // namespace forewarp::learn
