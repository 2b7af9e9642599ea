#include "predict/traced/answer_of.h"

namespace forewarp::predict {
namespace {

models::ModelPrediction sm_rates(const char* predictor, const facts::Prediction& from,
                                 const facts::ModelFacts& facts, const gpu::Machine& machine) {
  models::ModelPrediction rates{.model = predictor};
  rates.concurrent_warps = facts.concurrent_warps();
  rates.cycles = from.cycles;
  rates.time_ms = from.time_ms;
  rates.limiter = std::string(facts::to_string(from.limiter));
  const double warps = facts.groups * facts.warps_per_group / machine.sm_count;
  rates.warps_per_cycle = warps / from.cycles;
  rates.cycles_per_run = rates.concurrent_warps / rates.warps_per_cycle;
  return rates;
}

} // namespace

Answer answer_of(const char* predictor, facts::Prediction prediction, const FactSet& facts) {
  Answer answer{
      prediction.time_ms, prediction.cycles, std::string(facts::to_string(prediction.limiter)), {}, {}};
  if (facts.model != nullptr)
    answer.sm = sm_rates(predictor, prediction, *facts.model, facts.machine);
  answer.prediction = std::move(prediction);
  return answer;
}

} // namespace forewarp::predict
