// The published models as predictors.
#include "predict/builtin.h"

namespace forewarp::predict {

Predictor of_model(const models::Model& model) {
  const auto run = model.predict;
  return {.name = std::string(model.name),
          .source = std::string(model.source),
          .rung = Rung::published,
          .needs = {.model_facts = true},
          .gives = {.equations = true},
          .aspects = model.aspects,
          .predict = [run](const FactSet& facts, const Options& options) -> Result<Answer> {
            models::ModelOptions words;
            words.concurrent_warps = options.concurrent_groups * facts.model->warps_per_group;
            auto prediction = run(*facts.model, facts.machine, words);
            FOREWARP_TRY(prediction);
            return Answer{
                prediction->time_ms, prediction->cycles, prediction->limiter, *std::move(prediction), {}};
          }};
}

} // namespace forewarp::predict
