#include "validate/summary.h"

#include "validate/error_metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace forewarp::validate {
namespace {

using Rows = std::vector<const RowResult*>;

constexpr std::size_t least_rows_for_ranking = 5;

double median(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1)
    return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

struct Pairs {
  std::vector<double> predicted, measured, warps;

  std::vector<double> signed_percent() const {
    std::vector<double> errors;
    for (std::size_t i = 0; i < measured.size(); ++i)
      errors.push_back(100 * (predicted[i] - measured[i]) / measured[i]);
    return errors;
  }
  std::vector<double> absolute_percent() const {
    std::vector<double> errors = signed_percent();
    for (double& error : errors)
      error = std::abs(error);
    return errors;
  }
  double mape() const { return mape_percent(predicted, measured).value_or(0); }
  std::optional<double> shape() const {
    const std::set<double> occupancies(warps.begin(), warps.end());
    if (warps.size() < least_rows_for_ranking || occupancies.size() < 3)
      return std::nullopt;
    const auto shape = mape_shape_percent(warps, predicted, measured);
    return shape ? std::optional(*shape) : std::nullopt;
  }
  std::optional<double> best_slowdown() const {
    if (measured.empty())
      return std::nullopt;
    const auto chosen = std::min_element(predicted.begin(), predicted.end()) - predicted.begin();
    return measured[static_cast<std::size_t>(chosen)] / *std::min_element(measured.begin(), measured.end());
  }
  std::optional<double> tau() const {
    if (measured.size() < 2)
      return std::nullopt;
    return kendall_tau(predicted, measured).value_or(0);
  }
};

Pairs times(const Rows& rows, const std::string& method = "", double at_least_ms = 0) {
  Pairs pairs;
  for (const RowResult* row : rows) {
    if (row->measured_ms < at_least_ms)
      continue;
    const auto baseline = row->baselines_ms.find(method);
    if (!method.empty() && baseline == row->baselines_ms.end())
      continue;
    pairs.predicted.push_back(method.empty() ? row->predicted_ms : baseline->second);
    pairs.measured.push_back(row->measured_ms);
    pairs.warps.push_back(row->resident_warps);
  }
  return pairs;
}

void add_best(SpaceSummary& space, const Rows& rows) {
  const auto predicted_less = [](const RowResult* a, const RowResult* b) {
    return a->predicted_ms < b->predicted_ms;
  };
  const auto measured_less = [](const RowResult* a, const RowResult* b) {
    return a->measured_ms < b->measured_ms;
  };
  const RowResult* chosen = *std::min_element(rows.begin(), rows.end(), predicted_less);
  const RowResult* best = *std::min_element(rows.begin(), rows.end(), measured_less);
  space.best_slowdown = chosen->measured_ms / best->measured_ms;
  space.best_rank =
      1 + static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), [&](const RowResult* row) {
        return row->measured_ms < chosen->measured_ms;
      }));
}

void add_stages(SpaceSummary& space, const Rows& rows) {
  std::map<std::string, Pairs> stages;
  for (const RowResult* row : rows)
    for (const auto& [stage, pair] : row->stages)
      if (pair.measured > 0) {
        stages[stage].measured.push_back(pair.measured);
        stages[stage].predicted.push_back(pair.predicted);
      }
  for (const auto& [stage, pairs] : stages) {
    StageSummary summary{stage, pairs.measured.size(), 0, 0};
    std::vector<double> errors = pairs.signed_percent();
    if (stage == "occupancy") // points, not percent of a percentage
      for (std::size_t i = 0; i < errors.size(); ++i)
        errors[i] *= pairs.measured[i];
    summary.bias_percent = median(errors);
    for (double& error : errors)
      error = std::abs(error);
    summary.median_error_percent = median(errors);
    space.stages.push_back(summary);
  }
}

MethodSummary method_summary(const std::string& name, const Pairs& pairs) {
  return {name,
          pairs.measured.size(),
          pairs.mape(),
          median(pairs.absolute_percent()),
          median(pairs.signed_percent()),
          pairs.shape(),
          pairs.tau(),
          pairs.best_slowdown()};
}

SpaceSummary summarize_rows(const std::string& kernel, const std::string& gpu, const Rows& rows) {
  SpaceSummary space;
  space.kernel = kernel;
  space.gpu = gpu;
  space.rows = rows.size();
  const Pairs all = times(rows), longer = times(rows, "", long_kernel_ms);
  space.mape_percent = all.mape();
  space.median_percent = median(all.absolute_percent());
  space.bias_percent = median(all.signed_percent());
  space.long_rows = longer.measured.size();
  space.long_mape_percent = longer.mape();
  space.long_median_percent = median(longer.absolute_percent());
  space.shape_percent = all.shape();
  space.tau = all.tau();
  add_best(space, rows);
  const auto covered = std::count_if(rows.begin(), rows.end(), [](const RowResult* row) {
    return row->low_ms <= row->measured_ms && row->measured_ms <= row->high_ms;
  });
  space.covered_share = static_cast<double>(covered) / static_cast<double>(rows.size());
  add_stages(space, rows);
  space.methods.push_back(method_summary("forewarp", all));
  std::map<std::string, bool> baselines;
  for (const RowResult* row : rows)
    for (const auto& [name, time] : row->baselines_ms)
      baselines[name] = true;
  for (const auto& [name, present] : baselines)
    space.methods.push_back(method_summary(name, times(rows, name)));
  return space;
}

std::optional<double> median_of_some(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
}

/// Medians of a method over spaces.
void rank_method(MethodSummary& total, const std::vector<const MethodSummary*>& spaces) {
  std::vector<double> taus, slowdowns, shapes;
  for (const MethodSummary* space : spaces) {
    if (space->tau)
      taus.push_back(*space->tau);
    if (space->best_slowdown)
      slowdowns.push_back(*space->best_slowdown);
    if (space->shape_percent)
      shapes.push_back(*space->shape_percent);
  }
  total.tau = median_of_some(taus);
  total.best_slowdown = median_of_some(slowdowns);
  total.shape_percent = median_of_some(shapes);
}

/// The total's ranks: medians over the spaces that have enough rows to be ranked.
void add_ranking(Total& total, const std::vector<const SpaceSummary*>& spaces) {
  std::vector<double> ranks;
  std::map<std::string, std::vector<const MethodSummary*>> methods;
  std::size_t near_best = 0;
  for (const SpaceSummary* space : spaces)
    if (space->rows >= least_rows_for_ranking) {
      ranks.push_back(static_cast<double>(space->best_rank.value_or(1)));
      near_best += space->best_slowdown <= 1.10 ? 1 : 0;
      for (const MethodSummary& method : space->methods)
        methods[method.method].push_back(&method);
    }
  for (MethodSummary& method : total.space.methods)
    rank_method(method, methods[method.method]);
  if (total.space.methods.empty())
    return;
  const MethodSummary& own = total.space.methods.front();
  total.space.tau = own.tau;
  total.space.shape_percent = own.shape_percent;
  total.space.best_slowdown = own.best_slowdown;
  total.space.best_rank.reset();
  if (ranks.empty())
    return;
  total.space.best_rank = static_cast<std::size_t>(median(ranks));
  total.best_within_10_percent_share = static_cast<double>(near_best) / static_cast<double>(ranks.size());
}

/// Rows of one standing, or all; `spaces` are those that they lie in.
Total total_of(const std::string& name, const Rows& rows, const std::vector<const SpaceSummary*>& spaces) {
  Total total;
  if (!rows.empty())
    total.space = summarize_rows(name, "all", rows);
  add_ranking(total, spaces);
  return total;
}

void add_standings(const Rows& all, SuiteSummary& summary) {
  std::map<Standing, Rows> rows;
  for (const RowResult* row : all)
    if (row->standing)
      rows[*row->standing].push_back(row);
  for (const auto& [standing, own] : rows) {
    std::vector<const SpaceSummary*> spaces;
    for (const SpaceSummary& space : summary.spaces)
      if (space.standing == standing)
        spaces.push_back(&space);
    Total total = total_of(std::string(to_string(standing)), own, spaces);
    total.space.standing = standing;
    summary.by_standing.emplace(standing, std::move(total));
  }
}

} // namespace

SuiteSummary summarize(const SuiteResult& result) {
  SuiteSummary summary;
  summary.name = result.name;
  summary.title = result.title;
  std::map<std::pair<std::string, std::string>, Rows> spaces;
  Rows all;
  for (const RowResult& row : result.rows) {
    spaces[{row.kernel, row.gpu}].push_back(&row);
    all.push_back(&row);
  }
  for (const auto& [key, rows] : spaces) {
    SpaceSummary& space = summary.spaces.emplace_back(summarize_rows(key.first, key.second, rows));
    space.left_out = static_cast<std::size_t>(
        std::count_if(result.left_out.begin(), result.left_out.end(), [&key = key](const LeftOutRow& row) {
          return row.kernel == key.first && row.gpu == key.second;
        }));
    for (const RowResult* row : rows)
      space.standing = std::max(space.standing, row->standing);
  }
  std::vector<const SpaceSummary*> every;
  for (const SpaceSummary& space : summary.spaces)
    every.push_back(&space);
  summary.total = total_of("all", all, every);
  summary.total.space.left_out = result.left_out.size();
  add_standings(all, summary);
  return summary;
}

} // namespace forewarp::validate
