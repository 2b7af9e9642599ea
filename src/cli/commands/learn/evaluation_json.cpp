#include "cli/commands/learn/evaluation_json.h"

#include "learn/evaluate/protocol.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace forewarp::cli {
namespace {

using Json = nlohmann::ordered_json;

Json time_json(const learn::TimeScore& score) {
  return {{"rows", score.rows},
          {"mean_error", score.mean_error},
          {"median_error", score.median_error},
          {"worst_error", score.worst_error},
          {"mean_rate_error", score.baseline_error}};
}

Json class_json(const learn::ClassScore& score) {
  return {
      {"rows", score.rows},         {"accuracy", score.accuracy},       {"majority", score.majority},
      {"balanced", score.balanced}, {"sensitivity", score.sensitivity}, {"specificity", score.specificity}};
}

Json cutoff_json(const learn::CutoffScore& score) {
  return {{"cutoffs", score.cutoffs},
          {"forest", class_json(score.forest)},
          {"id3", class_json(score.id3)},
          {"wrong", score.wrong}};
}

Json cutoffs_json(const std::vector<learn::CutoffScore>& scores) {
  Json json = Json::array();
  for (const learn::CutoffScore& score : scores)
    json.push_back(cutoff_json(score));
  return json;
}

template <class Value> Json pairs_json(const std::vector<std::pair<std::string, Value>>& pairs) {
  Json json = Json::array();
  for (const auto& [name, value] : pairs)
    json.push_back({name, value});
  return json;
}

Json dynamic_json(const learn::DynamicEvaluation& evaluation, const learn::TrainingTable& table) {
  const int bound = table.feature(learn::bound_column);
  const auto& sets = evaluation.set_errors;
  Json json = {{"sets",
                {{"number", sets.size()},
                 {"mean", learn::mean(sets)},
                 {"least", *std::min_element(sets.begin(), sets.end())},
                 {"most", *std::max_element(sets.begin(), sets.end())},
                 {"all", time_json(evaluation.sets)}}},
               {"leave_one_out", time_json(evaluation.alone)},
               {"leave_one_out_with_relatives", time_json(evaluation.related)}};
  for (const auto& [ratio, error] : evaluation.inclusion)
    json["inclusion"].push_back({ratio, error});
  json["terms"] = pairs_json(evaluation.terms);
  for (const auto& [tested, row] : evaluation.rows) {
    json["rows"].push_back({{"region", row->region},
                            {"family", row->family},
                            {"cpu_ms", row->cpu_ms},
                            {"gpu_ms", row->gpu_ms},
                            {"predicted_ms", tested.predicted_ms},
                            {"error", tested.error}});
    if (bound >= 0)
      json["rows"].back()["bound_ms"] = row->features[static_cast<std::size_t>(bound)];
  }
  return json;
}

Json static_json(const learn::StaticEvaluation& evaluation) {
  Json json = {{"at_three", cutoff_json(evaluation.at_three)},
               {"quartiles", cutoffs_json(evaluation.quartiles)},
               {"sweep", cutoffs_json(evaluation.sweep)},
               {"importance", pairs_json(evaluation.importance)}};
  for (const auto& intervals : evaluation.intervals)
    json["intervals"].push_back({{"classes", intervals.classes},
                                 {"least", intervals.least},
                                 {"mean", intervals.mean},
                                 {"most", intervals.most},
                                 {"majority", intervals.majority}});
  return json;
}

} // namespace

Result<std::string> evaluation_json(const learn::TrainingTable& table, const learn::TrainOptions& options) {
  Json json = {{"extractor", table.extractor}, {"gpu", table.rows.front().gpu}, {"rows", table.rows.size()}};
  learn::EvaluationOptions evaluation;
  evaluation.seed = options.seed;
  if (table.extractor.starts_with("static")) {
    learn::StaticOptions statics = options.statics;
    statics.grow.seed = options.seed;
    for (const auto& [name, relatives] : {std::pair("without_relatives", learn::Relatives::left_out),
                                          std::pair("with_relatives", learn::Relatives::kept)}) {
      if (relatives == learn::Relatives::kept && !learn::has_relatives(table))
        continue;
      const auto result = learn::evaluate_static(table, relatives, statics, evaluation);
      FOREWARP_TRY(result);
      json[name] = static_json(*result);
    }
  } else {
    learn::DynamicOptions dynamic = options.dynamic;
    dynamic.bagging.seed = options.seed;
    const auto result = learn::evaluate_dynamic(table, dynamic, evaluation);
    FOREWARP_TRY(result);
    json["dynamic"] = dynamic_json(*result, table);
  }
  return json.dump(1) + "\n";
}

} // namespace forewarp::cli
