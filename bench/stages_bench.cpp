// Where the time of one more launch goes: machine step, sampled run, memory profile and simulation of each
// corpus kernel, one by one.
#include "codegen/machine_step.h"
#include "engine/plan.h"
#include "gpu/gpu_file.h"
#include "launch/parse.h"
#include "predict/traced/hybrid.h"
#include "simt/prepared.h"
#include "support/allocator.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace forewarp;

const std::filesystem::path corpus = std::filesystem::path(FOREWARP_SOURCE_DIR) / "corpus";

template <class T> T need(Result<T> result) {
  if (!result)
    throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

/// Everything that the stages of one kernel on a V100 hand on.
struct Stages {
  engine::PredictRequest request;
  engine::Planner planner;
  std::vector<engine::Target> targets;
  simt::RunOptions run;
  facts::KernelTrace trace;
  memory::ProfileOptions options;
  facts::MemoryProfile profile;

  explicit Stages(const std::string& name) {
    const auto file = need(launch::read_launch_file((corpus / name / "default.toml").string()));
    request.compile.path = file.source;
    request.compile.defines = file.defines;
    request.kernel = file.kernel;
    request.launch = file.launch;
    request.gpus.push_back(need(need(gpu::Catalogue::load_default()).find("v100")));
    targets = need(planner.plan(request));
    run.first_wave_groups = target().occupancy.active_groups_per_sm * target().machine->sm_count;
    trace = need(sampled_run()).trace;
    options.active_groups_per_sm = target().occupancy.active_groups_per_sm;
    options.shared_bytes_per_group =
        target().program->resources.static_shared_bytes + target().shape.dynamic_shared_bytes;
    profile = need(memory_profile());
  }
  const engine::Target& target() const { return targets.front(); }
  Result<simt::RunResult> sampled_run() const { return target().prepared->run(request.launch, run); }
  Result<facts::MemoryProfile> memory_profile() const {
    return memory::profile(trace, target().program->sites, *target().machine, options);
  }
  Result<facts::MachineProgram> machine_step() const {
    codegen::MachineStepOptions step;
    step.group_threads = static_cast<unsigned>(target().shape.group_size.count());
    return codegen::lower(target().compiled->module, *target().compiled->kernel, *target().machine, step);
  }
  Result<facts::Prediction> simulation() const {
    return predict::hybrid::predict(
        {*target().machine, *target().program, trace, profile, target().occupancy});
  }
};

/// The stages of the kernel asked for last: the benchmarks of one kernel follow each other.
const Stages& stages_of(const std::string& kernel) {
  static std::string held;
  static std::optional<Stages> stages;
  if (held != kernel) {
    stages.emplace(kernel);
    held = kernel;
  }
  return *stages;
}

template <class Stage> void stage(const std::string& name, const std::string& kernel, Stage run) {
  benchmark::RegisterBenchmark((kernel + "/" + name).c_str(), [kernel, run](benchmark::State& state) {
    const Stages& stages = stages_of(kernel);
    for (auto _ : state)
      benchmark::DoNotOptimize(need(run(stages)));
  })->Unit(benchmark::kMillisecond);
}

const bool registered = [] {
  keep_freed_memory();
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(corpus))
    if (std::filesystem::exists(entry.path() / "default.toml"))
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    stage("machine_step", name, [](const Stages& s) { return s.machine_step(); });
    stage("sampled_run", name, [](const Stages& s) { return s.sampled_run(); });
    stage("memory_profile", name, [](const Stages& s) { return s.memory_profile(); });
    stage("simulation", name, [](const Stages& s) { return s.simulation(); });
  }
  return true;
}();

} // namespace
