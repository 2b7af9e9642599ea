// A configuration put into a request: defines, argument values, launch sizes.
#pragma once

#include "engine/predict.h"
#include "explore/space/space.h"

#include <functional>

namespace forewarp::explore {

/// What every worker has to know; each makes its own space and session of it.
struct Setup {
  engine::PredictRequest base; ///< with the GPUs
  SpaceSpec space;
  std::string launch_file;                     ///< whose [values] may be parameters; may be empty
  std::map<std::string, double> launch_values; ///< its own [values]
  /// The request for other [values]; needed where a parameter is one. Called from several threads.
  std::function<Result<engine::PredictRequest>(const std::map<std::string, double>&)> base_of = {};
};

/// The base request with the configuration's values. Relative files of argument values are looked up below
/// the working folder. Errors: usage or launch, for a value that is no size, number or argument; they concern
/// this configuration only.
Result<engine::PredictRequest> apply_configuration(const Setup& setup,
                                                   const std::vector<Parameter>& parameters,
                                                   const Configuration& configuration);

/// Numbers of the request that expressions may use: scalar arguments and defines with a number for a value,
/// but none of `taken`.
std::map<std::string, double> constants_of(const engine::PredictRequest& request,
                                           const std::set<std::string>& taken);

/// Names of the kernel's arguments, as far as they bear on `parameters`: the launch's own, and where another
/// name is left, what the compiler says. Errors: those of the compiler.
Result<std::set<std::string>> argument_names(const engine::PredictRequest& base, const SpaceSpec& spec);

/// Fills the space's `constants`, `values` and `arguments` from the request. Errors: those of the space and
/// of the compiler.
Result<Setup> complete(Setup setup);

} // namespace forewarp::explore
