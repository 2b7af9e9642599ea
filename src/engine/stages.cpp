#include "engine/stages.h"

#include "codegen/sites.h"
#include "engine/translate.h"
#include "memory/l1/spills.h"

#include <algorithm>

namespace forewarp::engine {

unsigned first_wave(const std::vector<Target>& targets, const CompiledKernel* compiled) {
  unsigned most = 0;
  for (const Target& target : targets)
    if (target.compiled.get() == compiled)
      most = std::max(most, target.occupancy.active_groups_per_sm * target.machine->sm_count);
  return most;
}

Result<SampledRuns> run_all(const PredictRequest& request, const std::vector<Target>& targets,
                            RunStore& store) {
  SampledRuns runs;
  for (const Target& target : targets) {
    const CompiledKernel* compiled = target.compiled.get();
    if (runs.contains(compiled))
      continue;
    simt::RunOptions options = run_options(request.run);
    options.first_wave_groups = first_wave(targets, compiled);
    auto run = request.static_trace ? store.analysed(target, request.launch, options)
                                    : store.get(target, request.launch, options);
    FOREWARP_TRY(run);
    runs.emplace(compiled, *std::move(run));
  }
  return runs;
}

Result<void> count_slow_divisions(const PredictRequest& request, const SampledRuns& runs, Planner& planner,
                                  std::vector<Target>& targets) {
  for (Target& target : targets) {
    const facts::SlowDivisions& slow = runs.at(target.compiled.get())->slow_divisions;
    if (slow.empty() || target.machine->vendor == "amd")
      continue;
    FOREWARP_TRY(planner.count_slow_divisions(request, slow, target));
  }
  return {};
}

Result<facts::MemoryProfile> profile_of(const PredictRequest& request, const Target& target,
                                        const gpu::Machine& machine, const SampledRun& run) {
  memory::ProfileOptions options;
  options.cache = cache_state(request.cache);
  options.shortcuts = request.run.shortcuts;
  options.active_groups_per_sm = target.occupancy.active_groups_per_sm;
  options.shared_bytes_per_group =
      target.program->resources.static_shared_bytes + target.shape.launch_shared_bytes();
  options.atomics = codegen::atomic_kinds(target.compiled->module, *target.compiled->kernel);
  const std::vector<facts::MemorySite>& sites = target.program->sites;
  auto profile = memory::profile(run.trace, sites, machine, options, &run.addresses_of(sites));
  if (profile)
    memory::add_spill_traffic(*target.program, run.trace, machine, target.occupancy, *profile);
  return profile;
}

} // namespace forewarp::engine
