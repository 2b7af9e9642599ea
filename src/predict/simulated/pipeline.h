// The Pipeline simulator (P section 3) on the warps' dependence graphs.
#pragma once

#include "facts/model_facts.h"
#include "gpu/machine.h"
#include "pipeline/graph_model.h"
#include "predict/published/model.h"

#include <string>

namespace forewarp::predict {

/// Errors: usage with the nearest name.
Result<pipeline::SchedulerPolicy> scheduler_named(const std::string& name);

/// `gamma` resident groups (0: the facts').
Result<models::ModelPrediction> simulate_model(const std::string& name, const facts::ModelFacts& facts,
                                               const gpu::Machine& machine, double gamma,
                                               pipeline::SchedulerPolicy policy);

} // namespace forewarp::predict
