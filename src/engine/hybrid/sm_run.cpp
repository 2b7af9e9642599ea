#include "engine/hybrid/sm_run.h"

#include "engine/hybrid/dram.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace forewarp::engine::hybrid {
namespace {

/// Deals the sampled groups to the SM in proportion to the weight of their behaviour class (error diffusion,
/// so that a class of weight 1/8 comes every eighth group), the samples of a class in turn.
class SampledGroups final : public pipeline::GroupSource {
public:
  SampledGroups(const Facts& facts, const StreamTemplates& templates, std::size_t count, std::uint64_t cut)
      : facts_(facts), templates_(templates), left_(count), cut_(cut), due_(facts.trace.classes.size(), 0.0),
        turn_(facts.trace.classes.size(), 0) {
    for (const facts::BehaviourClass& behaviour : facts.trace.classes)
      total_weight_ += behaviour.weight_groups;
  }

  std::unique_ptr<pipeline::GroupStreams> next() override {
    if (left_ == 0)
      return nullptr;
    --left_;
    const std::uint32_t sample = next_sample();
    auto group = std::make_unique<pipeline::GroupStreams>();
    const facts::GroupTrace& trace = facts_.trace.groups[sample];
    for (std::size_t w = 0; w < trace.warps.size(); ++w)
      group->warps.push_back(
          std::make_unique<TraceStream>(templates_, trace.warps[w], facts_.memory.outcomes[sample][w], cut_));
    return group;
  }

private:
  std::uint32_t next_sample() {
    std::size_t chosen = 0;
    for (std::size_t c = 0; c < due_.size(); ++c) {
      due_[c] += facts_.trace.classes[c].weight_groups / total_weight_;
      if (due_[c] > due_[chosen])
        chosen = c;
    }
    due_[chosen] -= 1;
    const std::vector<std::uint32_t>& samples = facts_.trace.classes[chosen].samples;
    return samples[turn_[chosen]++ % samples.size()];
  }

  const Facts& facts_;
  const StreamTemplates& templates_;
  std::size_t left_;
  std::uint64_t cut_;
  double total_weight_ = 0;
  std::vector<double> due_;
  std::vector<std::size_t> turn_;
};

struct GroupSize {
  double mean_instructions = 0; ///< machine instructions of a group, mean over the grid
  double longest_warp = 0;
  double recorded_share = 1; ///< of the instructions that the traces hold
};

GroupSize group_size(const Facts& facts, const StreamTemplates& templates) {
  GroupSize size;
  double weights = 0, whole = 0;
  for (const facts::BehaviourClass& behaviour : facts.trace.classes) {
    const facts::GroupTrace& group = facts.trace.groups[behaviour.samples.front()];
    double instructions = 0;
    for (const facts::WarpTrace& warp : group.warps) {
      const double count = static_cast<double>(count_instructions(templates, warp));
      instructions += count;
      whole += behaviour.weight_groups * count / warp.recorded_share;
      size.longest_warp = std::max(size.longest_warp, count);
    }
    size.mean_instructions += behaviour.weight_groups * instructions;
    weights += behaviour.weight_groups;
  }
  if (whole > 0)
    size.recorded_share = size.mean_instructions / whole;
  size.mean_instructions /= std::max(weights, 1e-9);
  return size;
}

pipeline::Configuration configuration_of(const Facts& facts, const SmLoad& load, std::size_t tags) {
  const gpu::Machine& machine = facts.machine;
  pipeline::Configuration configuration;
  for (const gpu::Unit& unit : machine.units)
    configuration.subsystems.push_back({unit.name, unit.per_scheduler});
  configuration.servers = {"l1_to_l2_port", "l2_share", "dram_share", "atomic_unit"};
  configuration.schedulers = machine.schedulers_per_sm;
  configuration.issue_per_cycle_per_scheduler = machine.issue_per_scheduler;
  configuration.policy = pipeline::SchedulerPolicy::greedy_then_oldest;
  configuration.concurrent_groups = load.concurrent_groups;
  configuration.barrier_latency_cycles = machine.fixed.barrier_latency_cycles;
  configuration.group_launch_interval_cycles =
      machine.fixed.group_dispatch_ns * 1e-3 * machine.sm_clock_mhz * load.active_sms;
  configuration.tag_count = static_cast<std::uint32_t>(tags);
  return configuration;
}

/// Time that one more full set of resident groups adds in the steady state: mean distance between the start
/// of a group and the start of the one that takes its place.
double wave_cycles(const pipeline::Outcome& outcome, std::size_t concurrent) {
  const std::vector<double>& start = outcome.group_start_cycles;
  if (start.size() < 2 * concurrent)
    return outcome.cycles;
  const std::size_t first = start.size() >= 3 * concurrent ? concurrent : 0; // leave the cold start out
  const std::size_t last = start.size() - concurrent;
  double sum = 0;
  for (std::size_t i = first; i < last; ++i)
    sum += start[i + concurrent] - start[i];
  return sum / static_cast<double>(last - first);
}

} // namespace

SmLoad spread(const Facts& facts) {
  const gpu::Machine& machine = facts.machine;
  SmLoad load;
  load.groups_total = static_cast<double>(facts.trace.shape.groups.count());
  const double mean = load.groups_total / machine.sm_count;
  load.groups_on_sm = std::ceil(mean);
  load.concurrent_groups =
      static_cast<unsigned>(std::min<double>(facts.occupancy.active_groups_per_sm, load.groups_on_sm));
  load.active_sms = std::min<double>(machine.sm_count, load.groups_total);
  const double share = load.groups_on_sm / load.groups_total; // of the GPU's bandwidth for this SM
  const gpu::MemoryTiming& memory = machine.memory;
  const double bytes_per_cycle_per_gbps = 1e9 / (machine.sm_clock_mhz * 1e6);
  load.shares.port_bytes_per_cycle = memory.l2_bytes_per_cycle_per_sm;
  load.shares.l2_bytes_per_cycle = memory.l2_bytes_per_cycle * share;
  const DramRates dram = dram_rates(memory, facts.memory.dram_bytes_read, facts.memory.dram_bytes_written);
  load.shares.dram_read_bytes_per_cycle = dram.read_gbps * bytes_per_cycle_per_gbps * share;
  load.shares.dram_write_bytes_per_cycle = dram.write_gbps * bytes_per_cycle_per_gbps * share;
  return load;
}

Result<SmRun> run_sm(const Facts& facts, const SmLoad& load, double max_instructions) {
  const StreamTemplates templates(facts.program, facts.machine, load.shares, facts.memory.sector_bytes);
  const GroupSize size = group_size(facts, templates);
  const double concurrent = load.concurrent_groups;
  const double wave_instructions = std::max(1.0, size.mean_instructions * concurrent);
  // Whole waves, at least one; four show the steady state.
  const double waves = std::clamp(std::floor(max_instructions / wave_instructions), 1.0, 4.0);
  const double groups = std::min(load.groups_on_sm, waves * concurrent);
  std::uint64_t cut = 0;
  double cut_share = 1;
  if (wave_instructions > max_instructions) {
    cut =
        static_cast<std::uint64_t>(std::max(64.0, size.longest_warp * max_instructions / wave_instructions));
    cut_share = std::min(1.0, static_cast<double>(cut) / std::max(1.0, size.longest_warp));
  }
  cut_share *= size.recorded_share;
  SampledGroups source(facts, templates, static_cast<std::size_t>(groups), cut);
  auto outcome = pipeline::simulate(configuration_of(facts, load, templates.tag_count()), source);
  FOREWARP_TRY(outcome);

  SmRun run;
  run.simulated_cycles = outcome->cycles;
  const double more_waves = (load.groups_on_sm - groups) / concurrent;
  run.cycles = outcome->cycles + more_waves * wave_cycles(*outcome, load.concurrent_groups);
  const double full_wave = wave_cycles(*outcome, load.concurrent_groups) * load.concurrent_groups *
                           facts.occupancy.warps_per_group;
  run.resident_warps = (outcome->warp_resident_cycles + more_waves * full_wave) / std::max(run.cycles, 1.0);
  run.cycles /= cut_share;
  run.simulated_share = groups / load.groups_on_sm * cut_share;
  run.tag_stall_cycles = outcome->tag_stall_cycles;
  for (std::uint32_t tag = 0; tag < templates.tag_count(); ++tag)
    run.tag_locations.push_back(templates.location(tag));
  run.outcome = std::move(*outcome);
  return run;
}

} // namespace forewarp::engine::hybrid
