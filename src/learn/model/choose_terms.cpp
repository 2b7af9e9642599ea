#include "learn/model/choose_terms.h"

#include "learn/evaluate/cross_validation.h"

#include <algorithm>

namespace forewarp::learn {
namespace {

constexpr std::size_t most_families = 5, groups = 5;
constexpr unsigned models = 20; ///< the choice needs no more

} // namespace

Result<std::size_t> choose_terms(const TrainingTable& table, const DynamicOptions& options) {
  DynamicOptions tried = options;
  tried.bagging.models = std::min(models, options.bagging.models);
  const auto splits = leave_families_out(table, most_families, groups, options.bagging.seed);
  std::size_t best = 1;
  double least = 0;
  for (const std::size_t terms : {1, 2, 3, 4, 6}) {
    tried.bagging.stepwise.most_terms = terms;
    const auto tested = test_dynamic(table, splits, tried);
    FOREWARP_TRY(tested);
    const double error = score_times(*tested).mean_error;
    if (terms == 1 || error < least) {
      best = terms;
      least = error;
    }
  }
  return best;
}

} // namespace forewarp::learn
