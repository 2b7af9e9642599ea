// Shared memory: requests, bandwidth, bank conflicts, atomics.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::measure {
namespace {

/// SM cycles of a request by the lanes' stride in words.
std::map<double, UnitCost> by_stride(const Measured& measured) {
  std::map<double, UnitCost> costs;
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "shared" && time.mode == "banks";
       }))
    if (cost.cycles_per_work > 0)
      costs[sweep_value(cost.point, "stride")] = cost;
  return costs;
}

/// Bytes per cycle of the widest loads; empty where they were not measured.
std::optional<double> bandwidth(const Measured& measured, Calibration& calibration) {
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "shared" && time.mode == "wide";
       }))
    if (cost.cycles_per_work > 0) {
      calibration.values.push_back({"smem_bw_bytes_per_clk_per_sm", 1 / cost.cycles_per_work, cost.spread,
                                    "loads of four words a lane"});
      return 1 / cost.cycles_per_work;
    }
  return std::nullopt;
}

/// 32 lanes on one bank are 32 passes, each a bank's word of every bank's time.
void fit_banks(const std::map<double, UnitCost>& costs, double bytes_per_cycle, Calibration& calibration) {
  const auto worst = costs.find(32);
  if (worst == costs.end())
    return;
  const double pass_cycles = worst->second.cycles_per_work / 32;
  const double banks = std::exp2(std::round(std::log2(bytes_per_cycle * pass_cycles / 4)));
  calibration.values.push_back({"smem_banks", banks, worst->second.spread, "32 lanes on one bank"});
}

void fit_atomics_of_a_warp(const Measured& measured, Calibration& calibration) {
  for (const auto& [key, spread] : {std::pair{"atomic_shared_latency_cycles", 32.0},
                                    std::pair{"atomic_shared_latency_32way_cycles", 1.0}})
    for (const UnitCost& cost : unit_costs(measured, [spread = spread](const MeasuredTime& time) {
           return time.benchmark == "shared" && time.mode == "atomics" &&
                  sweep_value(time, "spread") == spread;
         }))
      calibration.values.push_back({key, cost.cycles_per_work, cost.spread, "chain of one warp"});
}

} // namespace

void fit_shared(const Measured& measured, Calibration& calibration) {
  const auto bytes_per_cycle = bandwidth(measured, calibration);
  const auto costs = by_stride(measured);
  // As fast as the banks move words: whether the pipe would take more requests cannot be seen.
  const auto plain = costs.find(1);
  if (plain != costs.end() && bytes_per_cycle &&
      plain->second.cycles_per_work > 1.15 * 128 / *bytes_per_cycle)
    calibration.values.push_back({"throughput.load_shared", 32 / plain->second.cycles_per_work,
                                  plain->second.spread, "loads of a word a lane, no conflict"});
  if (bytes_per_cycle)
    fit_banks(costs, *bytes_per_cycle, calibration);
  std::vector<double> strides, cycles;
  for (const auto& [stride, cost] : costs) {
    strides.push_back(stride);
    cycles.push_back(cost.cycles_per_work);
  }
  if (strides.size() > 1)
    calibration.facts.push_back(
        {"shared_request_cycles_by_stride", "cycles/request/SM", cycles,
         fmt::format("lanes {} words apart: as many ways", fmt::join(strides, ", "))});
  fit_atomics_of_a_warp(measured, calibration);
}

} // namespace forewarp::measure
