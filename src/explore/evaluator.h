// One worker's view of a sweep: ids in, rows out.
#pragma once

#include "engine/session.h"
#include "explore/apply.h"
#include "explore/outcome.h"

#include <map>

namespace forewarp::explore {

class Evaluator {
public:
  static Result<Evaluator> make(const Setup& setup);

  /// A configuration that cannot be compiled, launched or predicted is a row that says why. Errors: only what
  /// concerns every configuration (the source is gone, an expression without a value).
  Result<Row> evaluate(std::uint64_t id);
  /// The request that `forewarp predict` would make of this configuration.
  Result<engine::PredictRequest> request(std::uint64_t id) const;
  const Space& space() const { return space_; }

private:
  Evaluator(Setup setup, Space space) : setup_(std::move(setup)), space_(std::move(space)) {}
  Result<std::vector<Outcome>> outcomes(const engine::PredictRequest& request);
  Result<Outcome> one_gpu(engine::PredictRequest request, std::size_t gpu);
  Setup setup_;
  Space space_;
  engine::Session session_;
  std::vector<std::string> failed_defines_;       ///< those that `compile_failures_` belong to
  std::map<std::size_t, Error> compile_failures_; ///< by GPU
};

} // namespace forewarp::explore
