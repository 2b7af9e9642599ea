// The Pipeline simulator as one more model.
#pragma once

#include "engine/models.h"
#include "pipeline/graph_model.h"

namespace forewarp::engine {

/// Errors: not_found with the nearest name.
Result<pipeline::SchedulerPolicy> scheduler_named(const std::string& name);

/// `gamma` resident groups (0: the facts').
Result<models::ModelPrediction> simulate_model(const char* name, const facts::ModelFacts& facts,
                                               const gpu::Machine& machine, double gamma,
                                               pipeline::SchedulerPolicy policy);

} // namespace forewarp::engine
