#include "predict/builtin.h"

#include "predict/traced/traced_facts.h"
#include "support/named.h"

#include <fmt/format.h>

namespace forewarp::predict {

const std::vector<Predictor>& predictors() {
  static const std::vector<Predictor> table = [] {
    std::vector<Predictor> rows;
    for (const models::Model& model : models::registry())
      rows.push_back(of_model(model));
    rows.push_back(pipeline());
    rows.push_back(pipeline_context_independent());
    rows.push_back(hybrid_predictor());
    rows.push_back(wang2019_predictor());
    rows.push_back(wang2019_transactions_predictor());
    rows.push_back(wang2019_pipeline_predictor());
    return rows;
  }();
  return table;
}

Result<const Predictor*> find_predictor(std::string_view name) {
  return find_named(predictors(), name, {"there is no model", "--model", ErrorCode::not_found});
}

std::vector<std::string> predictor_names(bool (*wanted)(const Predictor&)) {
  std::vector<std::string> names;
  for (const Predictor& predictor : predictors())
    if (wanted == nullptr || wanted(predictor))
      names.push_back(predictor.name);
  return names;
}

bool gives_prediction(const Predictor& predictor) {
  return predictor.gives.prediction;
}

Result<void> check_needs(const Predictor& predictor, const FactSet& facts) {
  const auto lacks = [&](const char* what, const char* way_out) {
    return fail(ErrorCode::bad_input, fmt::format("model '{}' needs {}", predictor.name, what), "facts",
                way_out);
  };
  const Needs& needs = predictor.needs;
  if (needs.trace && facts.traced == nullptr)
    return lacks("the kernel's trace", "predict from a source instead of --facts");
  if (needs.trace &&
      (facts.traced->program_form != needs.program || facts.traced->machine_form != needs.machine))
    return lacks("operations or a machine of its own, which are not made beside the other models'",
                 "`forewarp predict --model` runs it by itself");
  if (needs.independent_facts && facts.independent == nullptr)
    return lacks("facts made from a source",
                 "a facts file holds one mapper's numbers; predict from a source");
  if (needs.model_facts && facts.model == nullptr)
    return lacks("model facts", "give a facts file (--facts), or predict from a source");
  return {};
}

Result<Answer> answer(const Predictor& predictor, const FactSet& facts, const Options& options) {
  FOREWARP_TRY(check_needs(predictor, facts));
  return predictor.predict(facts, options);
}

} // namespace forewarp::predict
