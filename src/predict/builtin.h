// Factories of the built-in predictors; registry.cpp calls them.
#pragma once

#include "predict/predictor.h"

namespace forewarp::predict {

/// A published model as a predictor.
Predictor of_model(const models::Model& model);
Predictor pipeline();
Predictor pipeline_context_independent();
Predictor hybrid_predictor();
Predictor wang2019_predictor();
Predictor wang2019_transactions_predictor();
Predictor wang2019_pipeline_predictor();

} // namespace forewarp::predict
