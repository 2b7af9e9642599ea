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

Result<Evaluator> Evaluator::make(const Setup& setup, engine::SharedSimulations simulations) {
  auto space = Space::make(setup.space);
  FOREWARP_TRY(space);
  if (!simulations)
    simulations = engine::shared_simulations();
  return Evaluator(setup, *std::move(space), std::move(simulations));
}

Result<engine::PredictRequest> Evaluator::request(std::uint64_t id) const {
  const auto configuration = space_.at(id);
  FOREWARP_TRY(configuration);
  return apply_configuration(setup_, space_.parameters(), *configuration);
}

/// A module that does not compile is known to the session: to ask again costs nothing.
Result<Outcome> Evaluator::one_gpu(engine::PredictRequest request, std::size_t gpu) {
  request.gpus = {setup_.base.gpus[gpu]};
  const auto predictions = session_.predict(request);
  if (predictions)
    return outcome_of(predictions->front());
  if (!concerns_one(predictions.error().code))
    return tl::unexpected<Error>(predictions.error());
  return failure(predictions.error());
}

Result<std::vector<Outcome>> Evaluator::outcomes(const engine::PredictRequest& request) {
  std::vector<Outcome> outcomes;
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

std::string Evaluator::key_of(const engine::PredictRequest& request, const Configuration& configuration) {
  std::string key;
  for (std::size_t gpu = 0; gpu < request.gpus.size(); ++gpu) {
    const auto number = session_.module_number(request, gpu);
    if (!number)
      return "";
    key += std::to_string(*number) + '\n';
  }
  for (std::size_t p = 0; p < configuration.size(); ++p)
    if (space_.parameters()[p].role != Role::define)
      key += configuration[p].text + '\n';
  return key;
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
  const std::string key = key_of(*request, *configuration);
  if (const std::vector<Outcome>* known = known_.find(key)) {
    row.outcomes = *known;
    return row;
  }
  auto all = outcomes(*request);
  FOREWARP_TRY(all);
  row.outcomes = *std::move(all);
  if (!key.empty())
    known_.keep(key, row.outcomes);
  return row;
}

} // namespace forewarp::explore
