// The interface of the analytical models. A model is a function of facts and a GPU; it knows no file, no LLVM
// and no other model.
#pragma once

#include "facts/model_facts.h"
#include "gpu/machine.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace forewarp::models {

/// One equation with the numbers put in.
struct Step {
  std::string equation; ///< "P Eq. 16"
  std::string symbol;   ///< "CWP"
  double value = 0;
  std::string unit;    ///< "warps", "cycles", "warps/cycle", "instructions", "1"
  std::string formula; ///< right-hand side with the numbers, e.g. "6 / (2 * 1) + 1"
};

struct ModelPrediction {
  std::string model;
  double concurrent_warps = 0; ///< omega that was used
  double cycles_per_run = 0;   ///< CPR: omega warps on one SM
  double warps_per_cycle = 0;  ///< WPC of one SM
  double cycles = 0;           ///< whole grid
  double time_ms = 0;
  std::string limiter;
  std::vector<Step> steps;
};

struct ModelOptions {
  double concurrent_warps = 0; ///< omega; 0: the facts' (sweeps over occupancy set it)
  /// GPUMech: memory instructions count among an interval's instructions. P's reading (its curves) leaves
  /// them out.
  bool gpumech_counts_memory_instructions = false;
  /// GPUMech's DRAM queue (M/D/1) is added; P leaves it out.
  bool gpumech_queueing = false;
};

/// A row of P's Table 7: does the model take the aspect into account?
struct Aspects {
  bool ilp = false, compute_latency = false, memory_latency = false, barriers = false,
       more_than_two_subsystems = false, groups = false, divergent_warps = false, issue_limit = false,
       scheduler = false;
};

struct Model {
  std::string_view name;   ///< "mwp_cwp_corrected"
  std::string_view source; ///< paper, year
  std::string_view needs;  ///< keys of the facts, separated by blanks
  Aspects aspects;
  Result<ModelPrediction> (*predict)(const facts::ModelFacts&, const gpu::Machine&, const ModelOptions&);
};

/// The built-in models, in the order in which tables list them.
const std::vector<Model>& registry();
/// not_found with the nearest names.
Result<Model> find_model(std::string_view name);

} // namespace forewarp::models
