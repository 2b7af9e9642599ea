// Atomics on global memory: one address, spread, latency.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

/// Operations of all SMs in an SM cycle, by the number of addresses.
std::map<double, UnitCost> by_addresses(const Measured& measured) {
  std::map<double, UnitCost> costs;
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "control" && time.mode == "atomics";
       }))
    if (cost.cycles_per_work > 0)
      costs[sweep_value(cost.point, "mask") + 1] = cost;
  return costs;
}

void fit_rates(const Measured& measured, Calibration& calibration) {
  const auto sms = measured.attributes.find("sm_count");
  const auto costs = by_addresses(measured);
  if (sms == measured.attributes.end() || costs.empty())
    return;
  if (const auto one = costs.find(1); one != costs.end())
    calibration.values.push_back({"atomic_global_same_addr_per_clk",
                                  sms->second / one->second.cycles_per_work, one->second.spread,
                                  "all lanes of the GPU on one address"});
  const auto& [addresses, most] = *costs.rbegin();
  if (addresses > 1) // neighbouring lanes: eight words a sector
    calibration.values.push_back({"atomic_l2_sectors_per_clk", sms->second / most.cycles_per_work / 8,
                                  most.spread, fmt::format("lanes on {:.0f} neighbouring words", addresses)});
}

void fit_latency(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "control" && time.mode == "atomic_chain";
       })) {
    const double cycles = cost.cycles_per_work - latency_of(cost.point.minus, calibration, base);
    calibration.values.push_back({"atomic_global_latency_cycles", cycles, cost.spread,
                                  "chain of one warp, less what makes its addresses"});
  }
}

} // namespace

void fit_atomics(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_rates(measured, calibration);
  fit_latency(measured, base, calibration);
}

} // namespace forewarp::measure
