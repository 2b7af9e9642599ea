#include "learn/model/static_model.h"

#include "learn/model/dynamic_model.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::learn {
namespace {

/// Trees are written with a letter for each feature.
constexpr std::size_t most_features = 26;

Result<void> check_rows(const TrainingTable& table, const StaticOptions& options) {
  if (table.rows.size() < fewest_rows)
    return fail(ErrorCode::bad_input,
                fmt::format("{} training rows; {} is the least", table.rows.size(), fewest_rows),
                table.source, "measure more kernels");
  for (const TrainingRow& row : table.rows)
    if (row.cpu_ms <= 0)
      return fail(ErrorCode::bad_input, fmt::format("line {} ('{}') has no CPU time", row.line, row.region),
                  table.source, "a speed-up needs both times");
  if (table.names.size() > most_features)
    return fail(ErrorCode::bad_input,
                fmt::format("{} features; forests take {}", table.names.size(), most_features), table.source,
                "the static extractor makes ten");
  if (constant_features(table).size() == table.names.size())
    return fail(ErrorCode::bad_input, "no feature differs between the rows", table.source,
                "rows of different kernels are needed");
  const int first = level_of(table.rows.front().speedup(), options.cutoffs);
  if (std::all_of(table.rows.begin(), table.rows.end(),
                  [&](const TrainingRow& row) { return level_of(row.speedup(), options.cutoffs) == first; }))
    return fail(ErrorCode::bad_input,
                fmt::format("all speed-ups are {}", interval_text(first, options.cutoffs)), table.source,
                "choose other --cutoffs, or measure kernels of the other kind");
  return {};
}

std::vector<LevelledFeature> levelled_features(const TrainingTable& table, unsigned levels) {
  std::vector<LevelledFeature> features;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    std::vector<double> values;
    for (const TrainingRow& row : table.rows)
      values.push_back(row.features[i]);
    features.push_back({table.names[i], equal_frequency_cuts(std::move(values), levels)});
  }
  return features;
}

} // namespace

std::vector<int> StaticModel::levels_of(const std::vector<double>& features_in_order) const {
  std::vector<int> levels;
  for (std::size_t i = 0; i < features.size(); ++i)
    levels.push_back(level_of(features_in_order[i], features[i].cuts));
  return levels;
}

ClassData class_data(const TrainingTable& table, const StaticModel& model) {
  ClassData data;
  data.number_of_classes = model.classes();
  for (const TrainingRow& row : table.rows) {
    data.levels.push_back(model.levels_of(row.features));
    data.classes.push_back(level_of(row.speedup(), model.cutoffs));
  }
  return data;
}

Result<void> check_static_options(const StaticOptions& options) {
  const auto& cutoffs = options.cutoffs;
  if (cutoffs.empty() || cutoffs.size() > 20 || cutoffs.front() <= 0 ||
      std::adjacent_find(cutoffs.begin(), cutoffs.end(), std::greater_equal<>()) != cutoffs.end())
    return fail(ErrorCode::bad_input, "cutoffs must be ascending numbers above 0", "--cutoffs",
                "for example 3,10: 3 or less, above 3 to 10, above 10");
  if (options.levels < 2 || options.levels > 3)
    return fail(ErrorCode::bad_input, fmt::format("{} levels a feature", options.levels), "--levels",
                "2 (low, high) or 3 (low, medium, high)");
  return {};
}

Result<StaticModel> train_forest(const TrainingTable& table, const StaticOptions& options) {
  StaticModel model;
  model.cutoffs = options.cutoffs;
  model.features = levelled_features(table, options.levels);
  auto forest = grow_forest(class_data(table, model), options.grow);
  FOREWARP_TRY(forest);
  model.forest = *std::move(forest);
  return model;
}

Result<StaticModel> train_static(const TrainingTable& table, const StaticOptions& options) {
  FOREWARP_TRY(check_static_options(options));
  FOREWARP_TRY(check_rows(table, options));
  auto model = train_forest(table, options);
  FOREWARP_TRY(model);
  std::vector<int> levels;
  for (const LevelledFeature& feature : model->features)
    levels.push_back(static_cast<int>(feature.cuts.size()) + 1);
  auto explanation = approximate(model->forest, levels, model->classes(), options.explanation_depth);
  FOREWARP_TRY(explanation);
  model->explanation = *std::move(explanation);
  return model;
}

Result<StaticPrediction> predict_static(const StaticModel& model, const std::vector<std::string>& names,
                                        const std::vector<std::vector<double>>& vectors) {
  std::vector<std::size_t> places;
  for (const LevelledFeature& feature : model.features) {
    const auto found = std::find(names.begin(), names.end(), feature.name);
    if (found == names.end())
      return fail(ErrorCode::bad_input, fmt::format("the region has no feature '{}'", feature.name), "",
                  "the model was trained on rows of another kind: train it anew");
    places.push_back(static_cast<std::size_t>(found - names.begin()));
  }
  StaticPrediction prediction;
  std::vector<unsigned> ranges(static_cast<std::size_t>(model.classes()));
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    std::vector<double> ordered;
    for (const std::size_t place : places)
      ordered.push_back(vectors[i][place]);
    const std::vector<int> levels = model.levels_of(ordered);
    const auto votes = votes_of(model.forest, levels, model.classes());
    ++ranges[static_cast<std::size_t>(winner(votes))];
    if (i == 0) {
      prediction.levels = levels;
      prediction.votes = votes;
      prediction.range = winner(votes);
    }
  }
  if (ranges[static_cast<std::size_t>(prediction.range)] < *std::max_element(ranges.begin(), ranges.end()))
    prediction.range = winner(ranges);
  prediction.agreement = static_cast<double>(ranges[static_cast<std::size_t>(prediction.range)]) /
                         static_cast<double>(vectors.size());
  prediction.path = path_of(model.explanation.tree, prediction.levels);
  prediction.path_range = model.explanation.tree.classify(prediction.levels);
  return prediction;
}

} // namespace forewarp::learn
