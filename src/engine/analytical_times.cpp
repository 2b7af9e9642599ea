#include "engine/analytical_times.h"

#include "engine/model_facts/build.h"
#include "models/model.h"

#include <cmath>

namespace forewarp::engine {

Result<std::map<std::string, double>> analytical_times(const Target& target, const hybrid::Facts& facts) {
  const model_facts::ControlFlow flow =
      model_facts::control_flow(target.compiled->module, *target.compiled->kernel);
  const auto built = model_facts::build(facts, flow, model_facts::Mapper::context_dependent);
  FOREWARP_TRY(built);
  std::map<std::string, double> times;
  for (const models::Model& model : models::registry()) {
    const auto prediction = model.predict(built->facts, facts.machine, {});
    if (prediction && std::isfinite(prediction->time_ms) && prediction->time_ms > 0)
      times.emplace(model.name, prediction->time_ms);
  }
  return times;
}

} // namespace forewarp::engine
