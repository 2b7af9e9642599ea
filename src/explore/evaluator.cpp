#include "explore/evaluator.h"

namespace forewarp::explore {
namespace {

/// These concern one configuration; the others would end every prediction alike.
bool concerns_one(ErrorCode code) {
  return code != ErrorCode::not_found && code != ErrorCode::bad_input && code != ErrorCode::usage;
}

/// The first line; diagnostics of a compiler run over many.
std::string reason_of(const Error& error) {
  const std::string text = error.message.substr(0, error.message.find('\n'));
  return std::string(to_string(error.code)) + ": " + text;
}

Outcome failure(const Error& error) {
  Outcome outcome;
  outcome.reason = reason_of(error);
  return outcome;
}

} // namespace

Result<Evaluator> Evaluator::make(const Setup& setup) {
  auto space = Space::make(setup.space);
  FOREWARP_TRY(space);
  return Evaluator(setup, *std::move(space));
}

Result<engine::PredictRequest> Evaluator::request(std::uint64_t id) const {
  const auto configuration = space_.at(id);
  FOREWARP_TRY(configuration);
  return apply_configuration(setup_, space_.parameters(), *configuration);
}

Result<Outcome> Evaluator::one_gpu(engine::PredictRequest request, std::size_t gpu) {
  if (const auto known = compile_failures_.find(gpu); known != compile_failures_.end())
    return failure(known->second);
  request.gpus = {setup_.base.gpus[gpu]};
  const auto predictions = session_.predict(request);
  if (predictions)
    return outcome_of(predictions->front());
  if (!concerns_one(predictions.error().code))
    return tl::unexpected<Error>(predictions.error());
  if (predictions.error().code == ErrorCode::compile)
    compile_failures_.emplace(gpu, predictions.error());
  return failure(predictions.error());
}

Result<std::vector<Outcome>> Evaluator::outcomes(const engine::PredictRequest& request) {
  if (failed_defines_ != request.compile.defines) {
    failed_defines_ = request.compile.defines;
    compile_failures_.clear();
  }
  std::vector<Outcome> outcomes;
  if (compile_failures_.empty())
    if (const auto predictions = session_.predict(request)) {
      for (const facts::Prediction& prediction : *predictions)
        outcomes.push_back(outcome_of(prediction));
      return outcomes;
    }
  // Something failed: which GPU was it?
  for (std::size_t gpu = 0; gpu < setup_.base.gpus.size(); ++gpu) {
    auto outcome = one_gpu(request, gpu);
    FOREWARP_TRY(outcome);
    outcomes.push_back(*std::move(outcome));
  }
  return outcomes;
}

Result<Row> Evaluator::evaluate(std::uint64_t id) {
  const auto configuration = space_.at(id);
  FOREWARP_TRY(configuration);
  Row row{id, {}, {}};
  for (const Value& value : *configuration)
    row.values.push_back(value.text);
  const auto request = apply_configuration(setup_, space_.parameters(), *configuration);
  if (!request) {
    row.outcomes.assign(setup_.base.gpus.size(), failure(request.error()));
    return row;
  }
  auto all = outcomes(*request);
  FOREWARP_TRY(all);
  row.outcomes = *std::move(all);
  return row;
}

} // namespace forewarp::explore
