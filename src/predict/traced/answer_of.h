// A traced predictor's prediction as an answer.
#pragma once

#include "predict/predictor.h"

namespace forewarp::predict {

/// With the rates of one SM where the set has model facts.
Answer answer_of(const char* predictor, facts::Prediction prediction, const FactSet& facts);

} // namespace forewarp::predict
