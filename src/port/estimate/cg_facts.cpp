#include "port/estimate/cg_facts.h"

#include "memory/coalesce/banks.h"

#include <algorithm>

#include <string>

namespace forewarp::port {
namespace {

using facts::ModelClassKind;

enum Subsystem : std::uint32_t { compute_subsystem, memory_subsystem, shared_subsystem };

void add_row(facts::ModelFacts& facts, std::string name, ModelClassKind kind, Subsystem subsystem,
             double count, double lambda, double latency) {
  if (count > 0)
    facts.mix.push_back({.name = std::move(name),
                         .kind = kind,
                         .subsystem = subsystem,
                         .count_per_warp = count,
                         .lambda_cycles = lambda,
                         .latency_cycles = latency});
}

/// Runs of a site by one thread, counted as the version wants its loads counted.
double site_runs(const Version& version, std::size_t site) {
  const double counted = site < version.written.size() ? version.written[site] : 1;
  return counted * version.block_runs[version.warps.sites[site].block];
}

bool is_global(const facts::MemorySite& site) {
  return site.space == facts::MemorySpace::global;
}

struct ClassCounts {
  std::array<double, 3> per_thread{}; ///< by AccessPattern
  std::array<double, 3> bytes{};      ///< sum of element widths
};

ClassCounts count_classes(const Version& version) {
  const std::vector<SiteClasses> classes = classify_sites(version.warps.trace, version.warps.sites);
  ClassCounts counts;
  for (std::size_t s = 0; s < version.warps.sites.size(); ++s) {
    const facts::MemorySite& site = version.warps.sites[s];
    if (!is_global(site) || version.fills_tile[site.block])
      continue;
    for (const AccessPattern pattern : access_patterns) {
      const double count = site_runs(version, s) * classes[s].share(pattern);
      counts.per_thread[static_cast<std::size_t>(pattern)] += count;
      counts.bytes[static_cast<std::size_t>(pattern)] += count * site.width_bytes;
    }
  }
  return counts;
}

/// Shared-memory instructions of a thread by conflict degree X (Eq. 20).
std::map<unsigned, double> shared_by_conflicts(const Version& version, const gpu::Machine& machine) {
  const std::size_t sites = version.warps.sites.size();
  std::vector<std::map<unsigned, double>> events(sites);
  std::vector<double> totals(sites, 0);
  for (const facts::GroupTrace& group : version.warps.trace.groups)
    for (const facts::WarpTrace& warp : group.warps)
      for (const facts::MemoryEvent& event : warp.events) {
        const facts::MemorySite& site = version.warps.sites[event.site];
        if (site.space != facts::MemorySpace::shared || version.fills_tile[site.block])
          continue;
        const memory::Lanes lanes =
            memory::expand(event, warp.offsets, static_cast<std::int64_t>(event.base), site.width_bytes);
        ++events[event.site][std::max(1U, memory::bank_passes(lanes, machine.memory, false).passes)];
        ++totals[event.site];
      }
  std::map<unsigned, double> counts;
  for (std::size_t s = 0; s < sites; ++s)
    for (const auto& [conflicts, count] : events[s])
      counts[conflicts] += site_runs(version, s) * count / totals[s];
  return counts;
}

double tile_loads_per_thread(const Version& version) {
  double loads = 0;
  for (std::size_t s = 0; s < version.warps.sites.size(); ++s)
    if (version.fills_tile[version.warps.sites[s].block] && is_global(version.warps.sites[s]))
      loads += site_runs(version, s);
  return loads;
}

double compute_per_thread(const Version& version) {
  double compute = 0;
  for (std::size_t b = 0; b < version.block_runs.size(); ++b)
    compute += version.block_runs[b] * version.operations[b].compute;
  return compute;
}

double weighted(double l2, double dram, double miss_rate) {
  return l2 * (1 - miss_rate) + dram * miss_rate;
}

} // namespace

AccessCost access_cost(AccessPattern pattern, const ClassTraffic& traffic, double transactions,
                       const CgParameters& gpu, MissModel model) {
  if (model == MissModel::simple_cache)
    return {weighted(gpu.mem_ld_l2, gpu.mem_ld_dram, traffic.miss_rate()),
            weighted(gpu.dd_l2, gpu.dd_dram, traffic.miss_rate())};
  const double dram = traffic.dram_per_event();
  if (pattern == AccessPattern::constant) // Eq. 4 and 5
    return {gpu.mem_ld_l2 + dram * gpu.mem_ld_dram, transactions * gpu.dd_l2 + dram * gpu.dd_dram};
  const double latency = dram <= 1 ? gpu.mem_ld_l2 + (transactions - 1) * gpu.dd_l2              // Eq. 1
                                   : gpu.mem_ld_l2 + gpu.mem_ld_dram + (dram - 1) * gpu.dd_dram; // Eq. 2
  return {latency, std::max(transactions * gpu.dd_l2, dram * gpu.dd_dram)};                      // Eq. 3
}

facts::ModelFacts cg_facts(const Version& version, const gpu::Machine& machine, const CgParameters& gpu,
                           MissModel model, bool warm_cache) {
  const facts::LaunchShape& shape = version.warps.trace.shape;
  const unsigned resident =
      std::max(1U, resident_blocks(machine, shape.group_size.count(), version.shared_bytes));
  facts::ModelFacts facts;
  facts.kernel = version.program.kernel;
  facts.gpu = machine.name;
  facts.warp_width = machine.warp_width;
  facts.groups = static_cast<double>(shape.groups.count());
  facts.warps_per_group =
      static_cast<double>((shape.group_size.count() + machine.warp_width - 1) / machine.warp_width);
  facts.concurrent_groups = resident;
  facts.issue_limit = 1 / gpu.inst_cycle;
  facts.barriers_per_warp = version.barriers_per_thread;
  facts.subsystems = {"compute", "memory", "shared_memory"};

  const ClassRates rates =
      class_rates(version.warps.trace, version.warps.sites, gpu.l2, resident, warm_cache);
  const ClassCounts counts = count_classes(version);
  for (const AccessPattern pattern : access_patterns) {
    const auto p = static_cast<std::size_t>(pattern);
    double transactions = gpu.l2_transactions[p];
    if (pattern == AccessPattern::coalesced && counts.per_thread[p] > 0) // Table 3 is of 4-byte elements
      transactions *= std::max(1.0, counts.bytes[p] / counts.per_thread[p] / 4);
    const AccessCost cost = access_cost(pattern, rates[p], transactions, gpu, model);
    add_row(facts, std::string(to_string(pattern)), ModelClassKind::memory, memory_subsystem,
            counts.per_thread[p], cost.delay_cycles, cost.latency_cycles);
  }
  // The 506 cycles hold the transfer: no departure delay of its own.
  add_row(facts, "tile_load", ModelClassKind::memory, memory_subsystem, tile_loads_per_thread(version), 0,
          gpu.smem_load_const);
  for (const auto& [conflicts, count] : shared_by_conflicts(version, machine))
    add_row(facts, "shared_" + std::to_string(conflicts) + "_way", ModelClassKind::shared_memory,
            shared_subsystem, count, gpu.mem_ld_smem * conflicts, gpu.mem_ld_smem * conflicts);
  add_row(facts, "compute", ModelClassKind::compute, compute_subsystem, compute_per_thread(version),
          gpu.inst_cycle, gpu.inst_cycle);
  return facts;
}

} // namespace forewarp::port
