// What a sweep says: best and worst, Pareto, effects of the parameters, what to measure. Everything is
// computed from the store in passes; memory does not grow with the number of configurations.
#pragma once

#include "explore/confidence.h"
#include "explore/share/store.h"
#include "explore/space/space.h"

namespace forewarp::explore {

/// What configurations are ordered by.
struct Objective {
  const char* name;   ///< of `--objective`
  const char* column; ///< of the store
  bool most_is_best;
  const char* unit;
};
const std::vector<Objective>& objectives();
/// usage error with the nearest names.
Result<const Objective*> find_objective(const std::string& name);

struct SummaryOptions {
  std::uint64_t top = 10; ///< length of the lists of best, worst and Pareto
  const Objective* objective = nullptr;
  Confidence confidence;
  double common_error = 0; ///< share of the error's variance that all configurations have alike
};

/// A configuration in one of the lists.
struct Ranked {
  std::uint64_t id = 0;
  std::vector<std::string> values;
  Outcome outcome;
  double score = 0;   ///< the objective's number
  double chance = 0;  ///< that it is truly faster than the first of the list
  bool equal = false; ///< the same score as the one before, to four digits
};

struct ValueEffect {
  std::string value;
  std::uint64_t count = 0;
  double mean_ms = 0; ///< geometric
  double best_ms = 0;
};

struct ParameterEffect {
  std::string parameter;
  std::vector<ValueEffect> values; ///< in the order of numbers, then of texts; empty: too many to show
  double explained = 0;            ///< share of the variance of ln(time) between its values (eta squared)
  /// Largest ratio of times of two configurations that differ in this parameter only; 0: there are no two.
  double largest_ratio = 0;
  bool matters() const { return largest_ratio == 0 || largest_ratio >= 1.01; }
};

struct GpuSummary {
  std::string gpu;
  std::uint64_t valid = 0, invalid = 0;
  std::vector<Ranked> best, worst, pareto;
  std::uint64_t pareto_size = 0;
  std::uint64_t near_ties =
      0; ///< configurations whose chance to be truly faster than the best is 5 % or more
  std::uint64_t to_measure = 0;
  std::vector<ParameterEffect> effects;
};

/// The configuration with the least geometric mean of time over the GPUs, each relative to its best.
struct Compromise {
  std::uint64_t id = 0;
  std::vector<std::string> values;
  double mean_ratio = 0;
};

struct Reason {
  std::string text;
  std::uint64_t count = 0;
};

struct Summary {
  std::string kernel, source, model;
  std::vector<std::string> parameters, roles;
  std::uint64_t points = 0, configurations = 0, sample = 0;
  std::vector<GpuSummary> gpus;
  std::vector<Compromise> compromises; ///< best first; empty with one GPU
  std::vector<Reason> reasons;         ///< of invalid outcomes, most frequent first
  SummaryOptions options;
};

Result<Summary> summarize(Store& store, const Space& space, const SummaryOptions& options);

} // namespace forewarp::explore
