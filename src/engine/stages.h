// The steps between a plan and what reads the facts: sampled run and memory profile. One way for the default
// predictor and for the models.
#pragma once

#include "engine/plan.h"
#include "engine/run_store.h"
#include "engine/session.h"
#include "facts/memory_profile.h"
#include "facts/trace.h"

#include <map>

namespace forewarp::engine {

/// Runs by kernel: shared by every GPU that runs the same one. Looked up, never walked.
using SampledRuns = std::map<const CompiledKernel*, std::shared_ptr<const SampledRun>>;

/// Groups that are resident at one time on the largest of the targets that run this kernel.
unsigned first_wave(const std::vector<Target>& targets, const CompiledKernel* compiled);

/// The sample covers the first wave of the largest of the GPUs.
Result<SampledRuns> run_all(const PredictRequest& request, const std::vector<Target>& targets,
                            RunStore& store);

/// Machine programs of kernels whose run met slow divisions are made anew with these.
Result<void> count_slow_divisions(const PredictRequest& request, const SampledRuns& runs, Planner& planner,
                                  std::vector<Target>& targets);

/// `machine` is the target's, or a variant of it.
Result<facts::MemoryProfile> profile_of(const PredictRequest& request, const Target& target,
                                        const gpu::Machine& machine, const SampledRun& run);

inline void say(const PredictRequest& request, const std::string& what) {
  if (request.progress)
    request.progress(what);
}

} // namespace forewarp::engine
