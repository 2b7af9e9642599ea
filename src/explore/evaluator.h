// One worker's view of a sweep: ids in, rows out.
#pragma once

#include "engine/session.h"
#include "explore/known_outcomes.h"
#include "explore/outcome.h"
#include "explore/space/apply.h"

namespace forewarp::explore {

class Evaluator {
public:
  /// `simulations`: shared with the evaluators of other threads; null: its own.
  static Result<Evaluator> make(const Setup& setup, engine::SharedSimulations simulations = nullptr);

  /// A configuration that cannot be compiled, launched or predicted is a row that says why. Errors: only what
  /// concerns every configuration (the source is gone, an expression without a value).
  Result<Row> evaluate(std::uint64_t id);
  /// The request that `forewarp predict` would make of this configuration.
  Result<engine::PredictRequest> request(std::uint64_t id) const;
  const Space& space() const { return space_; }

private:
  Evaluator(Setup setup, Space space, engine::SharedSimulations simulations)
      : setup_(std::move(setup)), space_(std::move(space)), session_(std::move(simulations)) {}
  Result<std::vector<Outcome>> outcomes(const engine::PredictRequest& request);
  /// Everything that the outcomes depend on beside what is the same in the whole sweep: the modules (not the
  /// defines that made them) and the other parameters. "": it does not compile.
  std::string key_of(const engine::PredictRequest& request, const Configuration& configuration);
  Result<Outcome> one_gpu(engine::PredictRequest request, std::size_t gpu);
  Setup setup_;
  Space space_;
  engine::Session session_;
  KnownOutcomes known_;
};

} // namespace forewarp::explore
