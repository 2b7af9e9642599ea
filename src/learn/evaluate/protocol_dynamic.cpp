#include "learn/evaluate/protocol.h"

#include <algorithm>
#include <map>

namespace forewarp::learn {
namespace {

double error_at(const std::vector<std::vector<TestedTime>>& tested, const TrainingTable& table,
                double inclusion) {
  std::vector<double> sets;
  for (const auto& set : tested) {
    std::vector<double> errors;
    for (const TestedTime& one : set)
      errors.push_back(
          speedup_error(table.rows[one.row].gpu_ms,
                        std::clamp(middle_mean(one.all_ms, inclusion), one.least_ms, one.most_ms)));
    sets.push_back(mean(errors));
  }
  return mean(sets);
}

std::vector<std::pair<std::string, unsigned>> term_counts(const DynamicModel& model) {
  std::map<std::string, unsigned> counts;
  for (const LinearModel& linear : model.models)
    for (const Term& term : linear.terms) {
      std::string name = model.features[static_cast<std::size_t>(term.first)].name;
      if (term.second >= 0) {
        // The product has one name, whichever of its features came first.
        const std::string& other = model.features[static_cast<std::size_t>(term.second)].name;
        name = std::min(name, other) + ":" + std::max(name, other);
      }
      ++counts[name];
    }
  std::vector<std::pair<std::string, unsigned>> sorted(counts.begin(), counts.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return sorted;
}

} // namespace

Result<DynamicEvaluation> evaluate_dynamic(const TrainingTable& table, const DynamicOptions& options,
                                           const EvaluationOptions& evaluation) {
  DynamicEvaluation result;
  const auto sets =
      test_dynamic(table, random_sets(table, evaluation.sets, evaluation.set_size, evaluation.seed), options);
  FOREWARP_TRY(sets);
  for (const auto& set : *sets) {
    std::vector<double> errors;
    for (const TestedTime& one : set)
      errors.push_back(one.error);
    result.set_errors.push_back(mean(errors));
  }
  result.sets = score_times(*sets);
  for (const double inclusion : {0.0, 0.2, 0.4, 0.6, 0.8, 1.0})
    result.inclusion.emplace_back(inclusion, error_at(*sets, table, inclusion));
  const auto alone = test_dynamic(table, leave_one_out(table, Relatives::left_out), options);
  FOREWARP_TRY(alone);
  result.alone = score_times(*alone);
  for (const auto& set : *alone)
    for (const TestedTime& one : set)
      result.rows.emplace_back(one, &table.rows[one.row]);
  const auto related = test_dynamic(table, leave_one_out(table, Relatives::kept), options);
  FOREWARP_TRY(related);
  result.related = score_times(*related);
  const auto model = train_dynamic(table, options);
  FOREWARP_TRY(model);
  result.terms = term_counts(*model);
  return result;
}

} // namespace forewarp::learn
