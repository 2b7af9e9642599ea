#pragma once

#include "learn/train.h"

#include <string>

namespace forewarp::cli {

/// The dissertation's evaluation of the table's kind of predictor, as JSON. Errors: as the learners'.
Result<std::string> evaluation_json(const learn::TrainingTable& table, const learn::TrainOptions& options);

} // namespace forewarp::cli
