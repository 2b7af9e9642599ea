// Predictions one after the other with what they share kept: compiled modules, machines, decoded kernels,
// machine programs and simulations.
#pragma once

#include "engine/hybrid/simulation_store.h"
#include "engine/plan.h"
#include "engine/predict.h"
#include "engine/run_store.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace forewarp::engine {

/// A prediction, and what the published models say from the same facts.
struct WithModels {
  facts::Prediction prediction;
  std::map<std::string, double> model_ms; ///< models::registry() name -> time; those that have their facts
};

/// Processor seconds that predictions took.
struct StageSeconds {
  double compile = 0; ///< with the machine step and decoding
  double run = 0, memory = 0, simulation = 0;
  double models = 0; ///< the published ones
};

/// One thread's use only. Results do not depend on what was predicted before.
class Session {
public:
  /// `simulations`: may be shared with sessions of other threads. `kept_runs`: traces that are kept for the
  /// same launch on other GPUs.
  explicit Session(
      std::shared_ptr<hybrid::SimulationStore> simulations = std::make_shared<hybrid::SimulationStore>(),
      std::size_t kept_runs = 0)
      : runs_(kept_runs), simulations_(std::move(simulations)) {}
  Result<std::vector<facts::Prediction>> predict(const PredictRequest& request);
  /// As predict() with the default model, and the published analytical models beside it.
  Result<std::vector<WithModels>> predict_with_models(const PredictRequest& request);
  /// CompiledKernel::number of the request on its GPU number `gpu`: where it is the same, so is the
  /// prediction of the same launch on that GPU. Errors: as predict().
  Result<std::uint64_t> module_number(const PredictRequest& request, std::size_t gpu);
  const CompileCache& compiled() const { return planner_.modules(); }
  std::size_t machine_steps() const { return planner_.machine_steps(); }
  std::size_t sampled_runs() const { return runs_.runs(); }
  const hybrid::SimulationStore& simulations() const { return *simulations_; }
  const StageSeconds& stage_seconds() const { return stage_seconds_; }

private:
  Planner planner_;
  RunStore runs_;
  StageSeconds stage_seconds_;
  std::shared_ptr<hybrid::SimulationStore> simulations_;
};

} // namespace forewarp::engine
