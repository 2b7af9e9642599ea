#include "learn/evaluate/protocol.h"

#include "support/counter_random.h"

#include <algorithm>
#include <map>
#include <set>

namespace forewarp::learn {
namespace {

/// Leave-one-out at any cutoffs. Many cutoffs part the rows alike, so that each partition is learned once.
class Tester {
public:
  Tester(const TrainingTable& table, Relatives relatives, const StaticOptions& options)
      : table_(table), splits_(leave_one_out(table, relatives)), options_(options) {}

  Result<CutoffScore> at(const std::vector<double>& cutoffs) {
    std::vector<int> classes;
    for (const TrainingRow& row : table_.rows)
      classes.push_back(level_of(row.speedup(), cutoffs));
    auto known = known_.find(classes);
    if (known == known_.end()) {
      auto score = test(cutoffs);
      FOREWARP_TRY(score);
      known = known_.emplace(classes, *std::move(score)).first;
    }
    CutoffScore score = known->second;
    score.cutoffs = cutoffs;
    return score;
  }

private:
  Result<CutoffScore> test(const std::vector<double>& cutoffs) const {
    StaticOptions options = options_;
    options.cutoffs = cutoffs;
    const auto tested = test_static(table_, splits_, options);
    FOREWARP_TRY(tested);
    const int classes = static_cast<int>(cutoffs.size()) + 1;
    CutoffScore score;
    score.forest = score_classes(tested->truth, tested->said, classes);
    score.id3 = score_classes(tested->truth, tested->id3, classes);
    for (std::size_t i = 0; i < tested->rows.size(); ++i)
      if (tested->truth[i] != tested->said[i])
        score.wrong.push_back(table_.rows[tested->rows[i]].region);
    return score;
  }

  const TrainingTable& table_;
  std::vector<Split> splits_;
  StaticOptions options_;
  std::map<std::vector<int>, CutoffScore> known_;
};

std::vector<double> quartiles_of(const TrainingTable& table) {
  std::vector<double> speedups;
  for (const std::size_t row : judged_rows(table))
    speedups.push_back(table.rows[row].speedup());
  return equal_frequency_cuts(std::move(speedups), 4);
}

/// Ascending whole numbers of 1 to 100, `count` of them.
std::vector<double> drawn_cutoffs(int count, std::uint64_t seed, std::uint64_t index) {
  std::set<double> drawn;
  for (std::uint64_t i = 0; drawn.size() < static_cast<std::size_t>(count); ++i)
    drawn.insert(1 + static_cast<double>(counter_random(counter_random(seed, index), i) % 100));
  return {drawn.begin(), drawn.end()};
}

StaticEvaluation::Intervals summary(int classes, const std::vector<CutoffScore>& scores) {
  StaticEvaluation::Intervals intervals;
  intervals.classes = classes;
  std::vector<double> accuracies, majorities;
  for (const CutoffScore& score : scores) {
    accuracies.push_back(score.forest.accuracy);
    majorities.push_back(score.forest.majority);
  }
  intervals.least = *std::min_element(accuracies.begin(), accuracies.end());
  intervals.most = *std::max_element(accuracies.begin(), accuracies.end());
  intervals.mean = mean(accuracies);
  intervals.majority = mean(majorities);
  return intervals;
}

} // namespace

std::vector<std::pair<std::string, double>> forest_importance(const StaticModel& model) {
  std::vector<int> levels;
  for (const LevelledFeature& feature : model.features)
    levels.push_back(static_cast<int>(feature.cuts.size()) + 1);
  const auto vectors = all_vectors(levels);
  std::vector<std::pair<std::string, double>> importance;
  std::map<std::vector<int>, int> said;
  for (const auto& vector : vectors)
    said[vector] = winner(votes_of(model.forest, vector, model.classes()));
  for (std::size_t feature = 0; feature < levels.size(); ++feature) {
    std::size_t decided = 0;
    for (auto vector : vectors) {
      const int here = said.at(vector);
      bool changes = false;
      for (int level = 0; level < levels[feature]; ++level) {
        vector[feature] = level;
        changes = changes || said.at(vector) != here;
      }
      decided += changes;
    }
    importance.emplace_back(model.features[feature].name,
                            static_cast<double>(decided) / static_cast<double>(vectors.size()));
  }
  std::stable_sort(importance.begin(), importance.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return importance;
}

Result<StaticEvaluation> evaluate_static(const TrainingTable& table, Relatives relatives,
                                         const StaticOptions& options, const EvaluationOptions& evaluation) {
  Tester tester(table, relatives, options);
  StaticEvaluation result;
  const auto add = [&](const std::vector<double>& cutoffs, std::vector<CutoffScore>& to) -> Result<void> {
    auto score = tester.at(cutoffs);
    FOREWARP_TRY(score);
    to.push_back(*std::move(score));
    return {};
  };
  auto three = tester.at({3});
  FOREWARP_TRY(three);
  result.at_three = *std::move(three);
  for (const double quartile : quartiles_of(table))
    FOREWARP_TRY(add({quartile}, result.quartiles));
  for (int cutoff = 1; cutoff <= 100; ++cutoff)
    FOREWARP_TRY(add({static_cast<double>(cutoff)}, result.sweep));
  result.intervals.push_back(summary(2, result.sweep));
  for (int classes = 3; classes <= 5; ++classes) {
    std::vector<CutoffScore> scores;
    for (std::size_t i = 0; i < evaluation.interval_sets; ++i)
      FOREWARP_TRY(
          add(drawn_cutoffs(classes - 1, evaluation.seed + static_cast<std::uint64_t>(classes), i), scores));
    result.intervals.push_back(summary(classes, scores));
  }
  StaticOptions at_three = options;
  at_three.cutoffs = {3};
  const auto model = train_forest(table, at_three);
  FOREWARP_TRY(model);
  result.importance = forest_importance(*model);
  return result;
}

} // namespace forewarp::learn
