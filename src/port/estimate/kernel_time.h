// Time of one version of a region on one GPU: by C's model, or by the default predictor on the same
// pseudo-warps.
#pragma once

#include "facts/model_facts.h"
#include "facts/prediction.h"
#include "gpu/gpu_file.h"
#include "port/estimate/version.h"
#include "predict/predictor.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::port {

/// The predictors that run a region's pseudo-warps (predict/predictor.h), then "cgpredict" and
/// "cgpredict_simple_cache" (C's baseline, Eq. 24-25).
const std::vector<std::string>& port_models();
/// One of the first kind: it counts the loads and operations that a GPU runs.
bool port_model_is_traced(const std::string& model);

struct KernelTime {
  double time_ms = 0;   ///< all launches of the region
  double launch_ms = 0; ///< the detailed launch
  std::string limiter;
  std::vector<std::pair<std::string, double>> causes; ///< share of the time, largest first; they add up to 1
  std::vector<models::Step> steps;                    ///< the model's equations; empty: default predictor
  std::optional<facts::ModelFacts> facts;             ///< what the model saw
  std::optional<facts::Prediction> prediction;        ///< the default predictor's answer for one launch
};

/// A GPU ready for predictions.
struct PortTarget {
  gpu::GpuChoice choice;
  std::string value_set; ///< that is used
  gpu::Machine machine;
};
/// With `cgpredict` models a file's value set `cgpredict` is taken where none is named. Errors: those of
/// gpu::resolve.
Result<PortTarget> port_target(const gpu::GpuChoice& choice, const std::string& value_set,
                               const std::string& model, double sm_clock_mhz_given = 0);

/// Errors: usage (no such model), bad_input (a region without memory accesses for C's model), launch (a block
/// that the GPU cannot hold).
Result<KernelTime> kernel_time(const Version& version, const RegionSize& size, const PortTarget& target,
                               const std::string& model);

} // namespace forewarp::port
