#include "predict/traced/waves/sm_run.h"

#include "gpu/dram_rates.h"
#include "predict/traced/streams/simulated_inputs.h"
#include "predict/traced/waves/deal.h"
#include "predict/traced/waves/launch_order.h"
#include "predict/traced/waves/like_groups.h"
#include "predict/traced/waves/partial_run.h"
#include "predict/traced/waves/phases.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace forewarp::predict::hybrid {
namespace {

struct GroupSize {
  double mean_instructions = 0; ///< machine instructions of a group, mean over the grid
  double recorded_share = 1;    ///< of the instructions that the traces hold
};

GroupSize group_size(const Facts& facts, const std::vector<facts::BehaviourClass>& classes,
                     const StreamTemplates& templates) {
  GroupSize size;
  double weights = 0, whole = 0;
  for (const facts::BehaviourClass& behaviour : classes) {
    const facts::GroupTrace& group = facts.trace.groups[behaviour.samples.front()];
    double instructions = 0;
    for (const facts::WarpTrace& warp : group.warps) {
      const double count = static_cast<double>(count_instructions(templates, warp));
      instructions += count;
      whole += behaviour.weight_groups * count / warp.recorded_share;
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
  if (machine.vendor == "amd") // a wave issues at the cadence of a full-rate vector instruction
    configuration.warp_issue_distance_cycles = machine.timing(facts::OpClass::fp32_fma).issue_cycles;
  configuration.policy = pipeline::SchedulerPolicy::greedy_then_oldest;
  configuration.concurrent_groups = load.concurrent_groups;
  if (machine.vendor == "amd") { // a wave's registers and place are free when it ends, its group's LDS later
    const facts::Occupancy& occupancy = facts.occupancy;
    configuration.warps_per_group = occupancy.warps_per_group;
    configuration.most_running_warps = load.concurrent_groups * occupancy.warps_per_group;
    configuration.most_groups = std::min(occupancy.groups_by_groups, occupancy.groups_by_shared);
  }
  configuration.barrier_latency_cycles = machine.fixed.barrier_latency_cycles;
  configuration.group_launch_interval_cycles =
      machine.fixed.group_dispatch_ns * 1e-3 * machine.sm_clock_mhz * load.active_sms;
  configuration.group_refill_cycles = machine.fixed.group_refill_cycles;
  if (machine.instruction_cache.line_bytes > 0)
    configuration.instruction_cache = {.lines = static_cast<unsigned>(machine.instruction_cache.size_bytes /
                                                                      machine.instruction_cache.line_bytes),
                                       .miss_cycles = machine.instruction_cache.miss_cycles,
                                       .lines_ahead = machine.instruction_cache.lines_ahead};
  configuration.tag_count = static_cast<std::uint32_t>(tags);
  return configuration;
}

/// Fewer have no wave that starts and ends among others: the first starts cold, the last runs dry.
constexpr double steady_waves = 3;

/// Of more waves than are ever simulated the steady ones, if all groups are alike; where they differ, one
/// more for a better mix. Short ones cost little, and groups that started together take some waves to fall
/// out of step.
double waves_to_simulate(const Phase& phase, const SmLoad& load, double wave_instructions,
                         const SimulationBudget& budget) {
  const bool all_fit = load.groups_on_sm <= budget.most_waves * load.concurrent_groups;
  const double least = all_fit || phase.classes.size() > 1 ? budget.most_waves : steady_waves;
  return std::max(least, std::floor(budget.short_waves / wave_instructions));
}

/// Time of one wave's instructions at the rate of the stretch in which all its groups run: until the first
/// ends. What follows, few groups that fill the SM no longer, is how a grid ends, not how a wave passes into
/// the next.
double full_load_cycles(const pipeline::Outcome& outcome) {
  const std::vector<double>& finish = outcome.group_finish_cycles;
  if (outcome.instructions_at_first_finish <= 0)
    return outcome.cycles;
  const double first = *std::min_element(finish.begin(), finish.end());
  return std::min(outcome.cycles, first * outcome.instructions / outcome.instructions_at_first_finish);
}

/// Time that one more full set of resident groups adds in the steady state: mean distance between the start
/// of a group and the start of the one that takes its place. Groups that all start together end one after the
/// other, which stretches the first distances; the steady state is never slower than the run as a whole,
/// whose ends are less than full.
double wave_cycles(const pipeline::Outcome& outcome, std::size_t concurrent) {
  const std::vector<double>& start = outcome.group_start_cycles;
  if (start.size() < 2 * concurrent)
    return full_load_cycles(outcome);
  const std::size_t first = start.size() >= 3 * concurrent ? concurrent : 0; // leave the cold start out
  const std::size_t last = start.size() - concurrent;
  double sum = 0;
  for (std::size_t i = first; i < last; ++i)
    sum += start[i + concurrent] - start[i];
  const double whole_run =
      outcome.cycles * static_cast<double>(concurrent) / static_cast<double>(start.size());
  return std::min(whole_run, sum / static_cast<double>(last - first));
}

} // namespace

SimulationBudget simulation_budget(const facts::Shortcuts& shortcuts) {
  SimulationBudget budget;
  if (!shortcuts.takes(facts::Shortcut::trace_cuts))
    budget.waves = budget.simulated = budget.dearest = INFINITY;
  if (!shortcuts.takes(facts::Shortcut::sm_waves))
    budget.waves = budget.most_waves = INFINITY;
  return budget;
}

SmLoad spread(const Facts& facts) {
  return spread(facts, static_cast<double>(facts.trace.shape.groups.count()));
}

SmLoad spread(const Facts& facts, double groups) {
  const gpu::Machine& machine = facts.machine;
  SmLoad load;
  load.groups_total = groups;
  const double mean = load.groups_total / machine.sm_count;
  load.groups_on_sm = std::ceil(mean);
  load.concurrent_groups =
      static_cast<unsigned>(std::min<double>(facts.occupancy.active_groups_per_sm, load.groups_on_sm));
  load.active_sms = std::min<double>(machine.sm_count, load.groups_total);
  // Of the GPU's bandwidth for this SM. Rounded before anything: an SM's part of a large grid is one number.
  const bool rounded = facts.shortcuts.takes(facts::Shortcut::rounded_demands);
  const double more_than_mean = load.groups_on_sm / mean;
  const double share = (rounded ? share_as_simulated(more_than_mean) : more_than_mean) / machine.sm_count;
  const gpu::MemoryTiming& memory = machine.memory;
  const double bytes_per_cycle_per_gbps = gpu::bytes_per_cycle(machine, 1);
  load.shares.port_bytes_per_cycle = memory.l2_bytes_per_cycle_per_sm;
  load.shares.l2_bytes_per_cycle = memory.l2_bytes_per_cycle * share;
  load.shares.l3_bytes_per_cycle = memory.l3_bytes_per_cycle * share;
  const gpu::DramRates dram = gpu::dram_rates(memory, facts.memory.dram_bytes_read,
                                              facts.memory.dram_bytes_written, facts.memory.like_arrays);
  load.shares.dram_read_bytes_per_cycle = dram.read_gbps * bytes_per_cycle_per_gbps * share;
  load.shares.dram_write_bytes_per_cycle = dram.write_gbps * bytes_per_cycle_per_gbps * share;
  return load;
}

namespace {

struct Waves {
  std::vector<std::uint32_t> groups; ///< samples that the outcome stands for
  pipeline::Outcome outcome;
};

/// As many waves as the budget holds. Where that is too few to hold one among others, cut traces of three, if
/// they stand for the whole; else the few.
Result<Waves> simulate_waves(const Facts& facts, const Phase& phase, const SmLoad& load,
                             const StreamTemplates& templates, const GroupSize& size,
                             const KeptSimulations& kept, const SimulationBudget& budget) {
  const double concurrent = load.concurrent_groups;
  const std::vector<facts::BehaviourClass> classes =
      facts.shortcuts.takes(facts::Shortcut::like_groups)
          ? with_like_groups_joined(phase.classes, facts.trace, facts.memory)
          : phase.classes;
  const bool uneven = is_uneven(classes, facts.trace);
  const auto dealt = [&](double groups) { return deal(classes, static_cast<std::size_t>(groups), uneven); };
  const pipeline::Configuration configuration = configuration_of(facts, load, templates.tag_count());
  const double wave_instructions = std::max(1.0, size.mean_instructions * concurrent);
  const double in_budget = std::clamp(std::floor(budget.waves / wave_instructions), 1.0,
                                      waves_to_simulate(phase, load, wave_instructions, budget));
  if (in_budget < steady_waves && load.groups_on_sm > in_budget * concurrent) {
    const std::vector<std::uint32_t> groups = dealt(std::min(load.groups_on_sm, steady_waves * concurrent));
    PartialRun simulation(facts, classes, configuration, templates, groups, kept);
    auto parts = simulation.run_parts(static_cast<double>(groups.size()) * size.mean_instructions, budget);
    FOREWARP_TRY(parts);
    if (*parts)
      return Waves{groups, std::move(**parts)};
  }
  const std::vector<std::uint32_t> groups = dealt(std::min(load.groups_on_sm, in_budget * concurrent));
  PartialRun simulation(facts, classes, configuration, templates, groups, kept);
  auto outcome = simulation.run(static_cast<double>(groups.size()) * size.mean_instructions, budget);
  FOREWARP_TRY(outcome);
  return Waves{groups, std::move(*outcome)};
}

/// The longest group, where it is longer than all that are simulated; null: there is none.
const facts::BehaviourClass* unseen_longest(const Facts& facts, const Phase& phase,
                                            const std::vector<std::uint32_t>& simulated) {
  double longest = 0;
  for (const std::uint32_t sample : simulated)
    longest = std::max(longest, alike_lengths * length_of(facts.trace.groups[sample]));
  const facts::BehaviourClass* found = nullptr;
  for (const facts::BehaviourClass& behaviour : phase.classes) {
    const double own = length_of(facts.trace.groups[behaviour.samples.front()]);
    if (own > longest) {
      longest = own;
      found = &behaviour;
    }
  }
  return found;
}

/// No launch ends before its longest group, which starts when its turn comes, and runs by itself when the
/// others have left. Evenly spread, all groups take a wave's cycles for each time that they fill the GPU.
Result<std::optional<LongestGroup>>
longest_group(const Facts& facts, const Phase& phase, const SmLoad& load,
              const std::vector<std::uint32_t>& simulated, double wave_cycles_of_mean,
              const StreamTemplates& templates, const KeptSimulations& kept, const SimulationBudget& budget) {
  const facts::BehaviourClass* longest = unseen_longest(facts, phase, simulated);
  if (longest == nullptr)
    return std::optional<LongestGroup>();
  const std::uint32_t sample = longest->samples.front();
  double recorded = 1;
  for (const facts::WarpTrace& warp : facts.trace.groups[sample].warps)
    recorded = std::min(recorded, warp.recorded_share);
  SmLoad alone = load;
  alone.concurrent_groups = 1;
  const std::vector<facts::BehaviourClass> classes = {*longest};
  const pipeline::Configuration configuration = configuration_of(facts, alone, templates.tag_count());
  PartialRun simulation(facts, classes, configuration, templates, {sample}, kept);
  const GroupSize size = group_size(facts, classes, templates);
  const auto outcome = simulation.run(size.mean_instructions, budget);
  FOREWARP_TRY(outcome);
  const auto places = static_cast<std::uint64_t>(load.active_sms) * load.concurrent_groups;
  const double start = wave_cycles_of_mean * load.groups_total / static_cast<double>(places) *
                       start_share(facts.trace, phase.classes, sample, places);
  return std::optional(LongestGroup{.sample = sample, .cycles = start + outcome->cycles / recorded});
}

Result<SmRun> run_phase(const Facts& facts, const Phase& phase, const SmLoad& load,
                        const KeptSimulations& kept_rounded, const SimulationBudget& budget) {
  const bool rounded = facts.shortcuts.takes(facts::Shortcut::rounded_demands);
  const KeptSimulations kept = rounded ? kept_rounded : KeptSimulations{}; // they go by rounded inputs
  const StreamTemplates templates(
      facts.program, facts.machine, rounded ? as_simulated(load.shares) : load.shares,
      memory::frame_sharing(facts.program, facts.trace, facts.occupancy, facts.machine),
      facts.memory.sector_bytes, rounded, StreamTemplates::Issue::by_control_words);
  const GroupSize size = group_size(facts, phase.classes, templates);
  const double concurrent = load.concurrent_groups;
  const double cut_share = size.recorded_share;
  auto waves = simulate_waves(facts, phase, load, templates, size, kept, budget);
  FOREWARP_TRY(waves);
  const auto& [dealt, outcome] = *waves;
  const auto groups = static_cast<double>(dealt.size());

  SmRun run;
  run.simulated_cycles = outcome.cycles;
  const double more_waves = (load.groups_on_sm - groups) / concurrent;
  run.cycles = outcome.cycles + more_waves * wave_cycles(outcome, load.concurrent_groups);
  const double full_wave =
      wave_cycles(outcome, load.concurrent_groups) * load.concurrent_groups * facts.occupancy.warps_per_group;
  // Parts that were extended to the whole may come to a little more than there is room for.
  const double most_resident = facts.occupancy.active_groups_per_sm * facts.occupancy.warps_per_group;
  run.resident_warps = std::min(most_resident, (outcome.warp_resident_cycles + more_waves * full_wave) /
                                                   std::max(run.cycles, 1.0));
  run.cycles /= cut_share;
  auto longest =
      longest_group(facts, phase, load, dealt, wave_cycles(outcome, load.concurrent_groups) / cut_share,
                    templates, kept, budget);
  FOREWARP_TRY(longest);
  if (*longest && (*longest)->cycles > run.cycles) {
    run.longest = *longest;
    run.longest->others_cycles = std::exchange(run.cycles, run.longest->cycles);
  }
  run.simulated_share = groups / load.groups_on_sm * cut_share;
  run.tag_stall_cycles = outcome.tag_stall_cycles;
  for (std::uint32_t tag = 0; tag < templates.tag_count(); ++tag)
    run.tag_locations.push_back(templates.location(tag));
  run.outcome = std::move(waves->outcome);
  return run;
}

} // namespace

Result<SmRun> run_sm(const Facts& facts, const SmLoad& load, const KeptSimulations& kept,
                     const SimulationBudget& budget) {

  const std::vector<Phase> phases = phases_of(facts.trace);
  if (phases.size() == 1)
    return run_phase(facts, phases[0], load, kept, budget);
  auto first = run_phase(facts, phases[0], spread(facts, phases[0].groups), kept, budget);
  FOREWARP_TRY(first);
  auto second = run_phase(facts, phases[1], spread(facts, phases[1].groups), kept, budget);
  FOREWARP_TRY(second);
  return joined(*first, *second);
}

} // namespace forewarp::predict::hybrid
