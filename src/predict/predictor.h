// The one interface of everything that predicts a kernel's time. The engine gathers the facts that a
// predictor asks for and calls it; nobody asks which one it is: what differs between predictors stands in its
// row
// (`needs`, `gives`) or in Options.
//
// To add one: a file with a factory, a row in registry.cpp, a page in docs/models, a derived test.
#pragma once

#include "facts/model_facts.h"
#include "facts/prediction.h"
#include "gpu/machine.h"
#include "predict/published/model.h"
#include "support/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::predict {

struct TracedFacts;
namespace hybrid {
struct KeptSimulations;
}

/// From coarse to fine.
enum class Rung {
  published, ///< a paper's model, on what papers know of a kernel (facts/model_facts.h)
  traced     ///< the sampled groups' own instructions and accesses
};

/// Which operations stand for the kernel.
enum class ProgramForm {
  machine_step, ///< codegen::lower: the target family's operations
  pruned_ir     ///< codegen::prune_ir: IR instructions that Wang et al. count
};

/// Which machine the memory profile is made for.
enum class MachineForm {
  as_given,
  without_l1 ///< gpu::without_l1: no L1 for global memory
};

/// What the engine has to gather.
struct Needs {
  bool model_facts = false;       ///< FactSet::model
  bool independent_facts = false; ///< FactSet::independent
  bool trace = false;             ///< FactSet::traced, in these forms
  ProgramForm program = ProgramForm::machine_step;
  MachineForm machine = MachineForm::as_given;
};

/// What an answer holds beside the time.
struct Gives {
  bool equations = false;  ///< Answer::sm has steps
  bool prediction = false; ///< Answer::prediction: `forewarp predict --model` can show it
};

/// Nothing of it is changed; what was not gathered is null.
struct FactSet {
  const gpu::Machine& machine;
  const facts::ModelFacts* model = nullptr;       ///< by the context-dependent mapper, or from a facts file
  const facts::ModelFacts* independent = nullptr; ///< by the context-independent mapper
  const TracedFacts* traced = nullptr;
};

struct Options {
  double concurrent_groups = 0;          ///< resident on an SM; 0: as many as fit. Only with model facts
  std::string scheduler = "round_robin"; ///< of the Pipeline simulator
  /// Where simulations are kept; null: nowhere. Changes how long an answer takes and nothing else.
  const hybrid::KeptSimulations* kept = nullptr;
};

struct Answer {
  double time_ms = 0, cycles = 0; ///< of the whole grid
  std::string limiter;
  std::optional<models::ModelPrediction> sm; ///< rates of one SM; needs model facts
  std::optional<facts::Prediction>
      prediction; ///< explained in full; names and launch are for the engine to fill
};

struct Predictor {
  std::string name;   ///< as in the answer
  std::string source; ///< paper, year
  Rung rung = Rung::published;
  Needs needs;
  Gives gives;
  bool simulates = false;                 ///< else a closed form: microseconds
  std::optional<models::Aspects> aspects; ///< row of P's Table 7; absent where the table does not apply
  std::function<Result<Answer>(const FactSet&, const Options&)> predict;
};

/// The only list of predictors, in the order in which tables list them.
const std::vector<Predictor>& predictors();
/// Errors: not_found with the nearest names.
Result<const Predictor*> find_predictor(std::string_view name);

/// What `forewarp predict` takes where none is named.
inline constexpr const char* default_predictor = "hybrid";
/// What tables hold the others against: P's simulator on the same facts.
inline constexpr const char* reference_predictor = "pipeline";

/// Names of predictors that `wanted` takes, in order; all by default.
std::vector<std::string> predictor_names(bool (*wanted)(const Predictor&) = nullptr);
/// Those whose answers are whole predictions.
bool gives_prediction(const Predictor& predictor);

/// Errors: bad_input with the first fact that the predictor needs and the set lacks.
Result<void> check_needs(const Predictor& predictor, const FactSet& facts);
/// check_needs, then the predictor's answer.
Result<Answer> answer(const Predictor& predictor, const FactSet& facts, const Options& options = {});

} // namespace forewarp::predict
