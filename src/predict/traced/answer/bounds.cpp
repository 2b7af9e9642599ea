#include "predict/traced/answer/bounds.h"

#include "gpu/dram_rates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace forewarp::predict::hybrid {
namespace {

using facts::Limiter;

/// Whether the load/store pipe is mostly busy with shared memory, L1 or the constant cache.
Limiter lsu_limiter(const Facts& facts) {
  double shared = 0, global = 0, constant = 0, atomic = 0;
  for (const facts::SiteProfile& site : facts.memory.sites) {
    const facts::MemorySite& what = facts.program.sites[site.site];
    const double passes = site.requests * site.passes_per_request;
    if (what.kind == facts::AccessKind::atomic)
      atomic += passes;
    else if (what.space == facts::MemorySpace::shared)
      shared += passes;
    else if (what.space == facts::MemorySpace::constant)
      constant += passes;
    else
      global += passes;
  }
  const double most = std::max({shared, global, constant, atomic});
  if (most == shared)
    return Limiter::shared_memory;
  if (most == constant)
    return Limiter::constant_cache;
  return most == atomic ? Limiter::atomics : Limiter::l1_bandwidth;
}

Limiter unit_limiter(const std::string& unit, const Facts& facts) {
  static const std::map<std::string, Limiter> known = {{"fp32", Limiter::fp32},
                                                       {"fma", Limiter::fp32},
                                                       {"alu", Limiter::integer},
                                                       {"int", Limiter::integer},
                                                       {"fp64", Limiter::fp64},
                                                       {"fp16", Limiter::fp16},
                                                       {"sfu", Limiter::sfu},
                                                       {"tensor", Limiter::tensor},
                                                       {"vector", Limiter::fp32},
                                                       {"valu", Limiter::fp32},
                                                       {"constant", Limiter::constant_cache},
                                                       {"shared", Limiter::shared_memory},
                                                       {"texture", Limiter::l1_bandwidth}};
  if (unit.starts_with("lsu"))
    return lsu_limiter(facts);
  for (const auto& [prefix, limiter] : known)
    if (unit.starts_with(prefix))
      return limiter;
  return Limiter::issue;
}

/// SM cycles of the operations on the most used address of a site; copies of one statement (unrolled loops)
/// go to the same one.
double hottest_address_cycles(const Facts& facts) {
  std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, double> by_statement;
  double most = 0;
  for (const facts::SiteProfile& site : facts.memory.sites) {
    const facts::MemorySite& what = facts.program.sites[site.site];
    if (what.kind != facts::AccessKind::atomic || what.space == facts::MemorySpace::shared)
      continue;
    double& sum = by_statement[{what.buffer, what.location.line, what.location.column}];
    sum += site.hottest_address_cycles;
    most = std::max(most, sum);
  }
  return most;
}

/// SM cycles of the one slice of L2 that all sites' operations take longest on.
double hottest_slice_cycles(const Facts& facts) {
  double cycles = 0;
  for (const facts::SiteProfile& site : facts.memory.sites)
    cycles += site.hottest_slice_cycles;
  return cycles;
}

/// Sectors that loads ask of L2 on the one line that all groups read most.
double hottest_line_sectors(const Facts& facts) {
  double sectors = 0;
  for (const facts::SiteProfile& site : facts.memory.sites)
    if (facts.program.sites[site.site].kind == facts::AccessKind::load)
      sectors += site.hottest_line_sectors;
  return sectors;
}

} // namespace

std::vector<Bound> bounds(const Facts& facts, const SmLoad& load, const SmRun& run) {
  const gpu::Machine& machine = facts.machine;
  const double scale = 1 / std::max(run.simulated_share, 1e-9);
  std::vector<Bound> all;
  for (std::size_t u = 0; u < machine.units.size(); ++u) {
    const double instances = std::max(1U, run.outcome.subsystem_instances[u]);
    all.push_back({unit_limiter(machine.units[u].name, facts), machine.units[u].name,
                   run.outcome.subsystem_busy_cycles[u] / instances * scale});
  }
  all.push_back(
      {Limiter::issue, "issue",
       run.outcome.instructions / (machine.schedulers_per_sm * machine.issue_per_scheduler) * scale});
  all.push_back(
      {Limiter::l2_bandwidth, "l1_to_l2_port", run.outcome.server_busy_cycles[l1_to_l2_port] * scale});
  const gpu::MemoryTiming& memory = machine.memory;
  const double l2_bytes = facts.memory.l2_bytes_read + facts.memory.l2_bytes_written;
  all.push_back(
      {Limiter::l2_bandwidth, "l2", // the simulated share counts partial writes at their price
       std::max(l2_bytes / memory.l2_bytes_per_cycle, run.outcome.server_busy_cycles[l2_share] * scale)});
  // A line lies in one slice: a sector a clock (GTX 680 white paper: 512 B a clock over 16 slices). Wider
  // slices (GA100 and later) are not modelled; there L1 keeps such lines.
  all.push_back({Limiter::l2_bandwidth, "l2_line", hottest_line_sectors(facts)});
  if (memory.l3.present) { // all that misses L2 or leaves it passes it
    const double kept =
        std::max(0.0, facts.memory.dirty_at_end_bytes - static_cast<double>(memory.l2.size_bytes));
    all.push_back({Limiter::l2_bandwidth, "l3",
                   (facts.memory.l3_bytes_read + facts.memory.dram_bytes_read +
                    facts.memory.dram_bytes_written + kept) /
                       memory.l3_bytes_per_cycle});
  }
  const gpu::DramRates dram = gpu::dram_rates(memory, facts.memory.dram_bytes_read,
                                              facts.memory.dram_bytes_written, facts.memory.like_arrays);
  all.push_back({Limiter::dram_bandwidth, "dram",
                 (facts.memory.dram_bytes_read + facts.memory.dram_extra_bytes_read) /
                         gpu::bytes_per_cycle(machine, dram.read_gbps) +
                     (facts.memory.dram_bytes_written + facts.memory.dram_extra_bytes_written) /
                         gpu::bytes_per_cycle(machine, dram.write_gbps)});
  all.push_back({Limiter::launch_overhead, "group_dispatch",
                 machine.fixed.group_dispatch_ns * 1e-9 * load.groups_total * machine.sm_clock_mhz * 1e6});
  all.push_back({Limiter::atomics, "atomics_on_one_address", hottest_address_cycles(facts)});
  all.push_back({Limiter::atomics, "atomics_on_one_slice", hottest_slice_cycles(facts)});
  return all;
}

} // namespace forewarp::predict::hybrid
