// A request whose launch leaves arguments open, made whole before it is run; and what its guesses do to the
// answer.
#pragma once

#include "engine/open_arguments/open_arguments.h"
#include "engine/plan.h"
#include "facts/prediction.h"

#include <functional>
#include <optional>
#include <vector>

namespace forewarp::engine {

struct OpenLaunch {
  PredictRequest request; ///< with every argument
  CompletedLaunch completed;
};

/// Nothing where every argument has a value. The arguments are found on the first target; `targets` are
/// planned anew, since local memory may be among them.
Result<std::optional<OpenLaunch>> complete_open(const PredictRequest& request, Planner& planner,
                                                std::vector<Target>& targets);

/// `error` with, where it tells of arguments without a value, a hint that gives each of them: what `predict`
/// would assume. A run with these arguments does not lack any.
Error with_found_arguments(Error error, const PredictRequest& request, Planner& planner);

/// Adds to each prediction what was assumed of the launch, and for each guessed number (four at most) how the
/// time changes with half and with twice of it. `predict` predicts a request.
Result<void>
tell_guesses(const PredictRequest& request, const CompletedLaunch& completed,
             const std::function<Result<std::vector<facts::Prediction>>(const PredictRequest&)>& predict,
             std::vector<facts::Prediction>& predictions);

} // namespace forewarp::engine
