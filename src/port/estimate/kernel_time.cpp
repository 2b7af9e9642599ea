#include "port/estimate/kernel_time.h"

#include "analysis/occupancy.h"
#include "memory/profile.h"
#include "port/estimate/cg_facts.h"
#include "port/estimate/parameters.h"
#include "predict/traced/traced_facts.h"
#include "support/named.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace forewarp::port {
namespace {

constexpr const char* cg_model = "cgpredict";
constexpr const char* cg_baseline = "cgpredict_simple_cache";

/// A class' part of the batch: its departures where they bound the time, else its latencies.
std::vector<std::pair<std::string, double>> cause_shares(const facts::ModelFacts& facts, double mwp,
                                                         double warps) {
  std::vector<std::pair<std::string, double>> causes;
  double sum = 0;
  for (const facts::ModelClass& row : facts.mix) {
    const bool queued = row.kind == facts::ModelClassKind::memory && mwp < warps && row.lambda_cycles > 0;
    const double cycles = row.count_per_warp * (queued ? row.lambda_cycles * warps : row.latency_cycles);
    causes.emplace_back(row.name, cycles);
    sum += cycles;
  }
  for (auto& cause : causes)
    cause.second /= std::max(sum, 1e-300);
  std::stable_sort(causes.begin(), causes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return causes;
}

Result<KernelTime> by_cgpredict(const Version& version, const RegionSize& size, const PortTarget& target,
                                MissModel misses) {
  const CgParameters gpu = cg_parameters(target.choice.file, target.value_set, target.machine);
  KernelTime out;
  out.facts = cg_facts(version, target.machine, gpu, misses, version.warm_cache);
  auto model = models::find_model(cg_model);
  FOREWARP_TRY(model);
  auto prediction = model->predict(*out.facts, target.machine, {});
  FOREWARP_TRY(prediction);
  out.launch_ms = prediction->time_ms;
  out.time_ms = prediction->time_ms * size.work_launches;
  out.limiter = prediction->limiter;
  double mwp = prediction->concurrent_warps;
  for (const models::Step& step : prediction->steps)
    if (step.symbol == "MWP")
      mwp = step.value;
  out.causes = cause_shares(*out.facts, mwp, prediction->concurrent_warps);
  out.steps = std::move(prediction->steps);
  return out;
}

/// What a single launch has to read from DRAM and to write, but for what L2 can hold back, at the bandwidth
/// that can be reached. Several launches may find their data in L2: 0.
double least_ms(const RegionSize& size, const gpu::Machine& machine) {
  if (size.launches > 1)
    return 0;
  const double held = static_cast<double>(machine.memory.l2.size_bytes);
  const double bytes = size.copy_in_bytes + std::max(0.0, size.copy_out_bytes - held);
  return bytes / (std::max(machine.memory.dram_read_gbps, machine.memory.dram_write_gbps) * 1e6);
}

Result<KernelTime> by_traced(const predict::Predictor& predictor, const Version& version,
                             const RegionSize& size, const PortTarget& target) {
  const gpu::Machine& machine = target.machine;
  facts::ResourceUse resources = version.program.resources;
  resources.static_shared_bytes = version.shared_bytes;
  auto occupancy = analysis::occupancy(machine, resources, version.warps.trace.shape);
  FOREWARP_TRY(occupancy);
  memory::ProfileOptions options;
  options.cache = version.warm_cache ? memory::ProfileOptions::CacheState::warm
                                     : memory::ProfileOptions::CacheState::cold;
  options.active_groups_per_sm = occupancy->active_groups_per_sm;
  options.shared_bytes_per_group = version.shared_bytes;
  auto profile = memory::profile(version.warps.trace, version.program.sites, machine, options);
  FOREWARP_TRY(profile);
  const predict::TracedFacts facts{machine, version.program, version.warps.trace, *profile, *occupancy};
  auto answer = predict::answer(predictor, {.machine = machine, .traced = &facts});
  FOREWARP_TRY(answer);
  facts::Prediction* prediction = &*answer->prediction;
  const double fixed_ms = std::min(prediction->time_ms, machine.fixed.kernel_min_time_us * 1e-3);
  KernelTime out;
  out.launch_ms = prediction->time_ms;
  out.time_ms = (prediction->time_ms - fixed_ms) * size.work_launches + fixed_ms * size.launches;
  out.limiter = std::string(facts::to_string(prediction->limiter));
  if (const double least = least_ms(size, machine); out.time_ms < least && !version.warm_cache) {
    out.time_ms = out.launch_ms = least;
    out.limiter = facts::to_string(facts::Limiter::dram_bandwidth);
  }
  for (const facts::CauseShare& cause : prediction->causes)
    out.causes.emplace_back(facts::to_string(cause.cause), cause.share);
  prediction->kernel = version.program.kernel;
  prediction->gpu = machine.name;
  prediction->gpu_requested = target.choice.requested;
  prediction->value_set = machine.value_set;
  prediction->shape = version.warps.trace.shape;
  prediction->resources = resources;
  prediction->files = version.program.files;
  prediction->assumed_gpu_values = machine.assumed;
  prediction->notes.insert(prediction->notes.end(), profile->notes.begin(), profile->notes.end());
  out.prediction = std::move(*prediction);
  return out;
}

/// Pseudo-warps are what is traced, and the machine step of the lowered region their operations.
bool runs_pseudo_warps(const predict::Predictor& predictor) {
  const predict::Needs& needs = predictor.needs;
  return needs.trace && needs.program == predict::ProgramForm::machine_step &&
         needs.machine == predict::MachineForm::as_given && predictor.gives.prediction;
}

} // namespace

bool port_model_is_traced(const std::string& model) {
  const predict::Predictor* predictor = find_row(predict::predictors(), model);
  return predictor != nullptr && runs_pseudo_warps(*predictor);
}

const std::vector<std::string>& port_models() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = predict::predictor_names(runs_pseudo_warps);
    all.insert(all.end(), {cg_model, cg_baseline});
    return all;
  }();
  return names;
}

Result<PortTarget> port_target(const gpu::GpuChoice& choice, const std::string& value_set,
                               const std::string& model, double sm_clock_mhz_given) {
  PortTarget target{choice, value_set, {}};
  if (value_set.empty() && model.starts_with(cg_model) && choice.file.value_sets.contains(cg_model))
    target.value_set = cg_model;
  auto machine = gpu::resolve(choice.file, target.value_set);
  FOREWARP_TRY(machine);
  target.machine = *std::move(machine);
  if (sm_clock_mhz_given > 0)
    target.machine.sm_clock_mhz = sm_clock_mhz_given;
  return target;
}

Result<KernelTime> kernel_time(const Version& version, const RegionSize& size, const PortTarget& target,
                               const std::string& model) {
  if (port_model_is_traced(model))
    return by_traced(*find_row(predict::predictors(), model), version, size, target);
  if (model == cg_model)
    return by_cgpredict(version, size, target, MissModel::cgpredict);
  if (model == cg_baseline)
    return by_cgpredict(version, size, target, MissModel::simple_cache);
  return fail(ErrorCode::usage, fmt::format("unknown model '{}'", model), "--model",
              fmt::format("models are {}", fmt::join(port_models(), ", ")));
}

} // namespace forewarp::port
