#include "learn/model/dynamic_model.h"

#include "learn/model/choose_terms.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::learn {
namespace {

/// Regressions of rates and their logarithms see ms an instruction; ns keep the coefficients readable.
constexpr double ns_per_ms = 1e6;

bool learned_from(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(),
                                     [&](const std::string& prefix) { return name.starts_with(prefix); });
}

std::vector<ModelFeature> usable_features(const TrainingTable& table, const DynamicOptions& options) {
  const std::vector<std::string> constant = constant_features(table);
  std::vector<ModelFeature> features;
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    // The number of instructions is the multiplier; beside it, its logarithm tells small problems from large
    // ones.
    if (std::find(constant.begin(), constant.end(), table.names[i]) != constant.end() ||
        (table.names[i] == options.multiplier && options.response != Response::log_rate) ||
        !learned_from(table.names[i], options.only))
      continue;
    ModelFeature feature;
    feature.name = table.names[i];
    feature.lowest = feature.highest = table.rows.front().features[i];
    for (const TrainingRow& row : table.rows) {
      feature.lowest = std::min(feature.lowest, row.features[i]);
      feature.highest = std::max(feature.highest, row.features[i]);
    }
    feature.logarithm = options.response == Response::log_rate && feature.highest > 1 && feature.lowest >= 0;
    for (const TrainingRow& row : table.rows)
      feature.mean += feature.seen(row.features[i]) / static_cast<double>(table.rows.size());
    features.push_back(std::move(feature));
  }
  return features;
}

Result<void> check(const TrainingTable& table, const DynamicOptions& options) {
  if (table.rows.size() < fewest_rows)
    return fail(ErrorCode::bad_input,
                fmt::format("{} training rows; {} is the least", table.rows.size(), fewest_rows),
                table.source, "measure more kernels, or other sizes of these");
  const int multiplier = table.feature(options.multiplier);
  if (multiplier < 0)
    return fail(ErrorCode::bad_input,
                fmt::format("no column '{}', by which the models multiply", options.multiplier),
                table.source);
  for (const TrainingRow& row : table.rows)
    if (!(row.features[static_cast<std::size_t>(multiplier)] > 0))
      return fail(ErrorCode::bad_input,
                  fmt::format("line {} ('{}'): {} is {}", row.line, row.region, options.multiplier,
                              row.features[static_cast<std::size_t>(multiplier)]),
                  table.source, "a region that ran has instructions");
  return {};
}

RegressionData regression_data(const TrainingTable& table, const DynamicModel& model) {
  RegressionData data;
  const auto multiplier = static_cast<std::size_t>(table.feature(model.multiplier));
  for (const ModelFeature& feature : model.features) {
    const auto index = static_cast<std::size_t>(table.feature(feature.name));
    std::vector<double> column;
    for (const TrainingRow& row : table.rows)
      column.push_back(feature.seen(row.features[index]));
    data.columns.push_back(std::move(column));
  }
  for (const TrainingRow& row : table.rows) {
    const double instructions = row.features[multiplier], rate = row.gpu_ms * ns_per_ms / instructions;
    switch (model.response) {
    case Response::time:
      data.response.push_back(row.gpu_ms * ns_per_ms);
      data.scale.push_back(instructions);
      break;
    case Response::rate:
      data.response.push_back(rate);
      break;
    case Response::log_rate:
      data.response.push_back(std::log(rate));
    }
  }
  return data;
}

/// ms an instruction.
double rate_of(const DynamicModel& model, double value) {
  return (model.response == Response::log_rate ? std::exp(value) : value) / ns_per_ms;
}

std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

/// What the counted models say when one feature is put at the training rows' mean.
double rate_without(const DynamicModel& model, std::vector<double> seen, std::size_t feature,
                    const std::vector<std::size_t>& counted) {
  seen[feature] = model.features[feature].mean;
  double sum = 0;
  for (const std::size_t i : counted)
    sum += rate_of(model, model.models[i].value(seen));
  return sum / static_cast<double>(counted.size());
}

std::vector<Push> pushes(const DynamicModel& model, const std::vector<double>& features,
                         const std::vector<double>& seen, const std::vector<std::size_t>& counted) {
  const auto held = [&](double rate) { return std::clamp(rate, model.lowest_rate, model.highest_rate); };
  double with = 0;
  for (const std::size_t i : counted)
    with += rate_of(model, model.models[i].value(seen)) / static_cast<double>(counted.size());
  std::vector<Push> found;
  for (std::size_t i = 0; i < model.features.size(); ++i) {
    const double factor = held(with) / held(rate_without(model, seen, i, counted));
    if (std::abs(std::log(factor)) > 0.01)
      found.push_back({model.features[i].name, features[i], factor});
  }
  std::stable_sort(found.begin(), found.end(), [](const Push& a, const Push& b) {
    return std::abs(std::log(a.factor)) > std::abs(std::log(b.factor));
  });
  return found;
}

} // namespace

const char* to_string(Response response) {
  switch (response) {
  case Response::time:
    return "time";
  case Response::rate:
    return "rate";
  case Response::log_rate:
    return "log_rate";
  }
  return "";
}

double ModelFeature::seen(double extracted) const {
  return logarithm ? std::log1p(std::max(extracted, 0.0)) : extracted;
}

Result<DynamicModel> train_dynamic(const TrainingTable& table, const DynamicOptions& options) {
  FOREWARP_TRY(check(table, options));
  DynamicModel model;
  model.response = options.response;
  model.inclusion = options.inclusion;
  model.multiplier = options.multiplier;
  model.rates = options.rates;
  model.features = usable_features(table, options);
  if (model.features.empty())
    return fail(ErrorCode::bad_input, "no feature differs between the rows", table.source,
                "rows of different kernels are needed");
  const auto multiplier = static_cast<std::size_t>(table.feature(options.multiplier));
  model.lowest_rate = model.highest_rate =
      table.rows.front().gpu_ms / table.rows.front().features[multiplier];
  for (const TrainingRow& row : table.rows) {
    model.lowest_rate = std::min(model.lowest_rate, row.gpu_ms / row.features[multiplier]);
    model.highest_rate = std::max(model.highest_rate, row.gpu_ms / row.features[multiplier]);
  }
  BaggingOptions bagging = options.bagging;
  if (bagging.stepwise.most_terms == terms_by_validation) {
    const auto terms = choose_terms(table, options);
    FOREWARP_TRY(terms);
    bagging.stepwise.most_terms = *terms;
  }
  model.models = bagged_models(regression_data(table, model), bagging);
  return model;
}

DynamicPrediction predict_dynamic(const DynamicModel& model, const std::vector<double>& features,
                                  double instructions) {
  DynamicPrediction prediction;
  std::vector<double> seen;
  for (std::size_t i = 0; i < features.size(); ++i) {
    const ModelFeature& feature = model.features[i];
    seen.push_back(feature.seen(features[i]));
    const double slack = 1e-9 * (feature.highest - feature.lowest);
    if (features[i] < feature.lowest - slack || features[i] > feature.highest + slack)
      prediction.outside.push_back(fmt::format("{} {:.4g} ({:.4g} to {:.4g})", feature.name, features[i],
                                               feature.lowest, feature.highest));
  }
  for (const LinearModel& linear : model.models)
    prediction.all_ms.push_back(rate_of(model, linear.value(seen)) * instructions);
  const std::vector<std::size_t> order = order_of(prediction.all_ms);
  const MiddleRange range = middle_range(order.size(), model.inclusion);
  const std::vector<std::size_t> counted(order.begin() + static_cast<long>(range.first),
                                         order.begin() + static_cast<long>(range.last));
  const double mean = middle_mean(prediction.all_ms, model.inclusion);
  prediction.gpu_ms = std::clamp(mean, model.lowest_rate * instructions, model.highest_rate * instructions);
  prediction.held = prediction.gpu_ms != mean;
  prediction.lowest_ms = prediction.all_ms[counted.front()];
  prediction.highest_ms = prediction.all_ms[counted.back()];
  prediction.pushes = pushes(model, features, seen, counted);
  return prediction;
}

Result<DynamicPrediction> predict_dynamic(const DynamicModel& model, const std::vector<std::string>& given,
                                          const std::vector<double>& given_values) {
  std::vector<std::string> names = given;
  std::vector<double> values = given_values;
  const bool bound = model.multiplier == bound_column;
  if (bound && std::find(names.begin(), names.end(), bound_column) == names.end())
    FOREWARP_TRY(append_bound(names, values, model.rates));
  const auto value_of = [&](const std::string& name) -> Result<double> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && bound && name.starts_with("warp_"))
      return 0.0; // no pseudo-warps
    if (found == names.end())
      return fail(ErrorCode::bad_input, fmt::format("the region has no feature '{}'", name), "",
                  "the model was trained on rows of another kind: train it anew");
    return values[static_cast<std::size_t>(found - names.begin())];
  };
  std::vector<double> features;
  for (const ModelFeature& feature : model.features) {
    const auto value = value_of(feature.name);
    FOREWARP_TRY(value);
    features.push_back(*value);
  }
  const auto instructions = value_of(model.multiplier);
  FOREWARP_TRY(instructions);
  if (!(*instructions > 0))
    return fail(ErrorCode::bad_input, fmt::format("{} is {}", model.multiplier, *instructions), "",
                "a region that ran has instructions");
  return predict_dynamic(model, features, *instructions);
}

double speedup_error(double measured_gpu_ms, double predicted_gpu_ms) {
  return std::abs(measured_gpu_ms / predicted_gpu_ms - 1);
}

} // namespace forewarp::learn
