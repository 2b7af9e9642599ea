// The published analytical models on the default predictor's own facts: the baselines of a validation.
#pragma once

#include "engine/hybrid/hybrid.h"
#include "engine/plan.h"
#include "support/result.h"

#include <map>
#include <string>

namespace forewarp::engine {

/// models::registry() name -> milliseconds, for the models that have their facts and give a finite time.
Result<std::map<std::string, double>> analytical_times(const Target& target, const hybrid::Facts& facts);

} // namespace forewarp::engine
