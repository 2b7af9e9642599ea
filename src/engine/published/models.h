// Every published model side by side on the facts of one kernel, with the Pipeline simulator and the default
// predictor.
#pragma once

#include "engine/predict.h"
#include "facts/model_facts.h"
#include "predict/predictor.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::engine {

struct GatheredFacts;
class Planner;

/// One kernel on one GPU as the models see it.
struct ModelInput {
  gpu::Machine machine;
  std::string requested;                              ///< the GPU's name as the user wrote it
  facts::ModelFacts facts;                            ///< context-dependent mapper, or the facts file's
  std::optional<facts::ModelFacts> independent_facts; ///< context-independent mapper; absent for facts files
  std::shared_ptr<const GatheredFacts> traced;        ///< null where there is no source
  std::vector<facts::Note> notes;
};

/// One input a GPU of the request, in the order asked for.
Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request);
/// The same for one request of many: what does not depend on the launch is kept in `planner`.
Result<std::vector<ModelInput>> model_inputs(const PredictRequest& request, Planner& planner);
/// Facts that came from elsewhere on this GPU.
Result<ModelInput> model_input(facts::ModelFacts facts, const gpu::GpuChoice& choice,
                               const PredictRequest& request);
/// "instruction-mix:BETA[:one|two|limited]", "iterative-barrier[:REPEATS]", "memory-parallelism[:LOADS]" with
/// lambda and Lambda of the GPU file. Errors: usage.
Result<ModelInput> synthetic_input(const std::string& kernel, const gpu::GpuChoice& choice,
                                   const PredictRequest& request);

struct ModelsOptions {
  std::vector<std::string> models; ///< empty: all that have their facts
  std::string scheduler = "round_robin";
  /// The models on ModelInput::independent_facts: every access coalesced and from DRAM (P section 6.3).
  bool context_independent = false;
};

struct ModelRow {
  std::string name;
  std::string source; ///< paper, year
  std::optional<models::ModelPrediction> prediction;
  std::string refusal;     ///< why there is no prediction
  double to_simulator = 0; ///< time / simulator's time - 1
};

struct ModelsAnswer {
  std::vector<ModelRow> rows;
  double models_seconds = 0; ///< of all closed forms together
};

/// Errors: not_found (no such model or scheduler), bad_input (a model that was asked for by name lacks a
/// fact).
Result<ModelsAnswer> evaluate_models(const ModelInput& input, const ModelsOptions& options);

/// Occupancy roofline: warps per cycle of one SM over resident warps.
struct Sweep {
  std::vector<double> concurrent_warps;
  struct Series {
    std::string name;
    std::vector<double> warps_per_cycle; ///< NaN where the model refused
  };
  std::vector<Series> series;
};
/// From one group to the number of groups that fit.
Result<Sweep> sweep_occupancy(const ModelInput& input, const ModelsOptions& options);

/// Execution profile of one run of the resident groups: `format` is text, perfetto or svg.
Result<std::string> execution_profile(const ModelInput& input, const std::string& format,
                                      const std::string& scheduler);

} // namespace forewarp::engine
