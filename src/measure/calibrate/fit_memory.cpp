// Latencies and bandwidths of the memory's levels.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace forewarp::measure {
namespace {

constexpr double any = 1e18;

/// Makes an address of an element's index, in 64 bits: a wide multiplication-addition.
constexpr const char* wide_address = "int_mul_wide";
/// The same in the 32 bits of shared and constant memory.
constexpr const char* narrow_address = "int_shift";

/// The median latency of the wanted chases, less the `address` operation between two loads (where the
/// benchmark does not say what else a step is).
void fit_chase(const Measured& measured, const gpu::GpuFile& base, const std::string& key,
               const std::string& level, const std::string& address, double least_bytes, double most_bytes,
               Calibration& calibration) {
  auto costs = unit_costs(measured, [&](const MeasuredTime& time) {
    return time.benchmark == "chase" && time.level == level &&
           sweep_value(time, "footprint") >= least_bytes && sweep_value(time, "footprint") <= most_bytes;
  });
  if (costs.empty()) {
    calibration.notes.push_back(
        fmt::format("{}: no chase was measured in {:.0f} to {:.0f} bytes", key, least_bytes, most_bytes));
    return;
  }
  std::sort(costs.begin(), costs.end(),
            [](const UnitCost& a, const UnitCost& b) { return a.cycles_per_work < b.cycles_per_work; });
  const UnitCost& middle = costs[costs.size() / 2];
  std::map<std::string, double> others = middle.point.minus; // what else a step is, where the benchmark says
  if (others.empty())
    others[address] = 1;
  const double cycles = middle.cycles_per_work - latency_of(others, calibration, base);
  calibration.values.push_back({key, cycles, middle.spread,
                                fmt::format("chase over {:.0f} bytes, less what makes its addresses",
                                            sweep_value(middle.point, "footprint"))});
}

void fit_latencies(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  const double l1 = number_of(base, "l1_size_bytes", 0), l2 = number_of(base, "l2_size_bytes", 0);
  const double constant = number_of(base, "const_l1_size_bytes", 2048);
  const bool caches = number_of(base, "l1_caches_global", 1) != 0;
  const bool read_only = number_of(base, "l1_caches_read_only", 1) != 0;
  fit_chase(measured, base, "smem_latency_cycles", "shared", narrow_address, 0, any, calibration);
  fit_chase(measured, base, "const_l1_latency_cycles", "constant", narrow_address, 0, constant * 0.75,
            calibration);
  fit_chase(measured, base, "const_l15_latency_cycles", "constant", narrow_address, constant * 2,
            constant * 16, calibration);
  if (l1 > 0 && (caches || read_only)) // the chase's array is read-only
    fit_chase(measured, base, "l1_latency_cycles", "global", wide_address, 0, l1 / 4, calibration);
  if (l2 > 0)
    fit_chase(measured, base, "l2_latency_cycles", "global", wide_address, std::max(2 * l1, 65536.0), l2 / 4,
              calibration);
  fit_chase(measured, base, "dram_latency_cycles", "dram", wide_address, 4 * l2, any, calibration);
}

const UnitCost* cheapest(const std::vector<UnitCost>& costs) {
  const auto best = std::min_element(costs.begin(), costs.end(), [](const UnitCost& a, const UnitCost& b) {
    return a.us_per_work < b.us_per_work;
  });
  return best == costs.end() ? nullptr : &*best;
}

/// `sms` times the bytes per microsecond of the best of the wanted streams, as GB/s.
void fit_gbps(const Measured& measured, const std::string& key, const std::string& note,
              const std::function<bool(const MeasuredTime&)>& wanted, Calibration& calibration) {
  const auto costs = unit_costs(measured, wanted);
  if (const UnitCost* best = cheapest(costs))
    calibration.values.push_back({key, 1e-3 / best->us_per_work, best->spread, note});
}

double sm_count(const Measured& measured) {
  const auto found = measured.attributes.find("sm_count");
  return found == measured.attributes.end() ? 1 : found->second;
}

bool is_stream(const MeasuredTime& time, const char* level) {
  return time.benchmark == "bandwidth" && time.level == level;
}

/// All SMs all over the largest footprint well within L2. What of it an L1 holds by chance is no traffic of
/// L2.
void fit_l2(const Measured& measured, double l1_bytes, double l2_bytes, Calibration& calibration) {
  constexpr double well_within = 0.7;
  double largest = 0;
  FittedValue fitted{"l2_bw_read_gbps", 0, 0, ""};
  for (const UnitCost& cost :
       unit_costs(measured, [](const MeasuredTime& time) { return is_stream(time, "l2"); })) {
    const double bytes = sweep_value(cost.point, "bytes");
    if (bytes <= largest || bytes > well_within * l2_bytes)
      continue;
    largest = bytes;
    fitted.value = sm_count(measured) * 1e-3 / cost.us_per_work * (1 - std::min(0.5, l1_bytes / bytes));
    fitted.spread = cost.spread;
  }
  fitted.note = fmt::format("all SMs all over {:.0f} bytes", largest);
  if (largest > 0)
    calibration.values.push_back(fitted);
}

void fit_bandwidths(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  const double l1 = number_of(base, "l1_size_bytes", 0), l2 = number_of(base, "l2_size_bytes", 0);
  for (const char* access : {"read", "write", "copy", "triad"})
    fit_gbps(
        measured, fmt::format("dram_bw_{}_gbps", access), "64 KiB a group, more groups against fewer",
        [&](const MeasuredTime& time) { return is_stream(time, "dram") && time.access == access; },
        calibration);
  fit_l2(measured, number_of(base, "l1_caches_global", 1) != 0 ? l1 : 0, l2, calibration);
  if (number_of(base, "l1_caches_global", 1) == 0 && number_of(base, "l1_caches_read_only", 1) == 0)
    return;
  const auto own = unit_costs(measured, [](const MeasuredTime& time) { return is_stream(time, "l1"); });
  if (const UnitCost* best = cheapest(own); best && best->cycles_per_work > 0)
    calibration.values.push_back({"l1_bw_bytes_per_clk_per_sm", 1 / best->cycles_per_work, best->spread,
                                  "groups over stretches of their own"});
}

/// What fewer warps draw of DRAM.
void state_occupancy(const Measured& measured, Calibration& calibration) {
  StatedFact fact{"dram_read_gbps_by_warps", "GB/s", {}, ""};
  std::map<double, double> curve;
  for (const UnitCost& cost :
       unit_costs(measured, [](const MeasuredTime& time) { return is_stream(time, "dram_occupancy"); }))
    curve[sweep_value(cost.point, "warps")] = sm_count(measured) * 1e-3 / cost.us_per_work;
  for (const auto& [warps, gbps] : curve) {
    fact.values.push_back(gbps);
    fact.note += fmt::format("{}{:g}", fact.note.empty() ? "" : ", ", warps);
  }
  fact.note += " warps on each SM";
  if (curve.size() > 1)
    calibration.facts.push_back(fact);
}

/// Uniform loads: requests of a warp that an SM takes a cycle, times its lanes.
void fit_constant(const Measured& measured, Calibration& calibration) {
  const auto costs =
      unit_costs(measured, [](const MeasuredTime& time) { return is_stream(time, "constant"); });
  if (const UnitCost* best = cheapest(costs); best && best->cycles_per_work > 0)
    calibration.values.push_back({"throughput.load_constant", 32 / best->cycles_per_work, best->spread,
                                  "uniform constant loads on all SMs"});
}

} // namespace

double latency_of(std::map<std::string, double> operations, const Calibration& calibration,
                  const gpu::GpuFile& base) {
  // Without that instruction (Maxwell, Pascal) an address is shifted and added by halves.
  if (number_of(base, "instructions.int_mul_wide", 1) > 1 && operations.erase(wide_address) > 0) {
    operations["int_shift"] += 2;
    operations["int_add"] += 2;
  }
  double cycles = 0;
  for (const auto& [operation, number] : operations) {
    const std::string key = "latency." + operation;
    const auto own = std::find_if(calibration.values.begin(), calibration.values.end(),
                                  [&](const FittedValue& value) { return value.key == key; });
    cycles += number * (own != calibration.values.end() ? own->value : number_of(base, key, 0));
  }
  return cycles;
}

void fit_memory(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_latencies(measured, base, calibration);
  fit_bandwidths(measured, base, calibration);
  fit_constant(measured, calibration);
  state_occupancy(measured, calibration);
}

} // namespace forewarp::measure
