// Words that `models`, `profile` and `explain` share, and the inputs that they make.
#pragma once

#include "cli/commands/predict_options.h"
#include "engine/published/models.h"

namespace forewarp::cli {

struct ModelWords {
  PredictWords predict;
  std::string facts, facts_out, synthetic, scheduler = "round_robin";
};

void add_model_options(CLI::App& app, ModelWords& words);

/// From the source, the facts file or the synthetic kernel; one input a GPU. Writes --facts-out.
Result<std::vector<engine::ModelInput>> gather_inputs(const ModelWords& words);

/// usage error when `format` is none of `choices`.
Result<void> check_format(const std::string& format, const std::vector<std::string>& choices);

} // namespace forewarp::cli
