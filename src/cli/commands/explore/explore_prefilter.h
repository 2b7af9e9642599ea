// `forewarp explore --prefilter N`: formulas choose the configurations that are predicted.
#pragma once

#include "cli/commands/explore/explore_options.h"

namespace forewarp::cli {

struct Prefiltered {
  explore::SpaceSpec space; ///< the kept configurations, one by one
  std::string open;         ///< the parameter that the formulas leave open
  std::uint64_t configurations = 0, kept = 0, formulas = 0, predictions = 0;
};

/// For each combination of the other parameters the default predictor's form over one of the launch file's
/// [values] (formula/predictor_form.h): the one with most values that a formula may leave open. `keep`
/// configurations a GPU stay, those whose time less the error that the form says of itself is least;
/// combinations with too few values for a form are predicted. One thread. Errors: usage (no launch file, no
/// such parameter, too many points); those of the space.
Result<Prefiltered> prefilter(const explore::Setup& setup, const PredictWords& words, std::uint64_t keep);

} // namespace forewarp::cli
