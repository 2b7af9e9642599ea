// Predictions one after the other with what they share kept: compiled modules, machines, decoded kernels,
// machine programs and simulations.
#pragma once

#include "engine/predict.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace forewarp::predict::hybrid {
class SimulationStore;
}

namespace forewarp::engine {

class CompileCache;

/// A prediction, and what the published models say from the same facts.
struct WithModels {
  facts::Prediction prediction;
  std::map<std::string, double> model_ms; ///< closed form's name -> time; those that have their facts
};

/// Processor seconds that predictions took.
struct StageSeconds {
  double compile = 0; ///< with the machine step and decoding
  double run = 0, memory = 0, simulation = 0;
  double models = 0; ///< the published ones
};

/// Simulations of SMs that several sessions share, of other threads, too.
using SharedSimulations = std::shared_ptr<predict::hybrid::SimulationStore>;
SharedSimulations shared_simulations();

/// One thread's use only. Results do not depend on what was predicted before.
class Session {
public:
  /// `kept_runs`: traces that are kept for the same launch on other GPUs.
  explicit Session(SharedSimulations simulations = shared_simulations(), std::size_t kept_runs = 0);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  Result<std::vector<facts::Prediction>> predict(const PredictRequest& request);
  /// As predict(), and the published models beside it.
  Result<std::vector<WithModels>> predict_with_models(const PredictRequest& request);
  /// CompiledKernel::number of the request on its GPU number `gpu`: where it is the same, so is the
  /// prediction of the same launch on that GPU. Errors: as predict().
  Result<std::uint64_t> module_number(const PredictRequest& request, std::size_t gpu);
  const CompileCache& compiled() const;
  std::size_t machine_steps() const;
  std::size_t sampled_runs() const;
  const predict::hybrid::SimulationStore& simulations() const;
  const StageSeconds& stage_seconds() const;

private:
  struct Kept;
  std::unique_ptr<Kept> kept_;
};

} // namespace forewarp::engine
