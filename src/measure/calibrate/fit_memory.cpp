// Latencies and bandwidths of the memory's levels.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

double number(const gpu::GpuFile& base, const std::string& key, double fallback) {
  const auto found = base.values.find(key);
  const auto* value = found == base.values.end() ? nullptr : std::get_if<double>(&found->second.value);
  return value ? *value : fallback;
}

double value_of(const UnitCost& cost, const std::string& name) {
  const auto found = cost.point.values.find(name);
  return found == cost.point.values.end() ? 0 : found->second;
}

/// Latency of the operation that makes an address of an element's index: as measured, else as the GPU's file
/// has it.
double address_cycles(const Calibration& calibration, const gpu::GpuFile& base,
                      const std::string& operation) {
  for (const FittedValue& value : calibration.values)
    if (value.key == "latency." + operation)
      return value.value;
  return number(base, "latency." + operation, 0);
}

/// The median latency of the wanted chases, less the `address` operation between two loads.
void fit_chase(const Measured& measured, const gpu::GpuFile& base, const std::string& key,
               const std::string& level, const std::string& address, double least_bytes, double most_bytes,
               Calibration& calibration) {
  auto costs = unit_costs(measured, [&](const MeasuredTime& time) {
    return time.benchmark == "chase" && time.level == level && time.values.at("footprint") >= least_bytes &&
           time.values.at("footprint") <= most_bytes;
  });
  if (costs.empty()) {
    calibration.notes.push_back(
        fmt::format("{}: no chase was measured in {:.0f} to {:.0f} bytes", key, least_bytes, most_bytes));
    return;
  }
  std::sort(costs.begin(), costs.end(),
            [](const UnitCost& a, const UnitCost& b) { return a.cycles_per_work < b.cycles_per_work; });
  const UnitCost& middle = costs[costs.size() / 2];
  calibration.values.push_back(
      {key, middle.cycles_per_work - address_cycles(calibration, base, address), middle.spread,
       fmt::format("chase over {:.0f} bytes, less one {}", value_of(middle, "footprint"), address)});
}

void fit_latencies(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  constexpr double any = 1e18;
  const double l1 = number(base, "l1_size_bytes", 0), l2 = number(base, "l2_size_bytes", 0);
  const double constant = number(base, "const_l1_size_bytes", 2048);
  fit_chase(measured, base, "smem_latency_cycles", "shared", "int_shift", 0, any, calibration);
  fit_chase(measured, base, "const_l1_latency_cycles", "constant", "int_shift", 0, constant * 0.75,
            calibration);
  fit_chase(measured, base, "const_l15_latency_cycles", "constant", "int_shift", constant * 2, constant * 16,
            calibration);
  if (l1 > 0 && number(base, "l1_caches_global", 1) != 0)
    fit_chase(measured, base, "l1_latency_cycles", "global", "int_mul_wide", 0, l1 / 4, calibration);
  if (l2 > 0)
    fit_chase(measured, base, "l2_latency_cycles", "global", "int_mul_wide", std::max(2 * l1, 65536.0),
              l2 / 4, calibration);
  fit_chase(measured, base, "dram_latency_cycles", "dram", "int_mul_wide", 4 * l2, any, calibration);
}

/// Largest rate (work per microsecond times `factor`) of the wanted streams.
void fit_rate(const Measured& measured, const std::string& key, double factor,
              const std::function<bool(const MeasuredTime&)>& wanted, bool by_cycles, const std::string& note,
              Calibration& calibration) {
  const UnitCost* best = nullptr;
  const auto costs = unit_costs(measured, wanted);
  for (const UnitCost& cost : costs)
    if (!best || cost.us_per_work < best->us_per_work)
      best = &cost;
  if (!best || (by_cycles && !(best->cycles_per_work > 0)))
    return;
  const double rate = factor / (by_cycles ? best->cycles_per_work : best->us_per_work);
  calibration.values.push_back({key, rate, best->spread, note});
}

void fit_bandwidths(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  const double l2 = number(base, "l2_size_bytes", 0);
  for (const char* access : {"read", "write", "copy", "triad"})
    fit_rate(
        measured, fmt::format("dram_bw_{}_gbps", access), 1e-3, // bytes per microsecond -> GB/s
        [&](const MeasuredTime& time) {
          return time.benchmark == "bandwidth" && time.level == "dram" && time.access == access;
        },
        false, "best of footprints and occupancies", calibration);
  fit_rate(
      measured, "l2_bw_read_gbps", 1e-3,
      [&](const MeasuredTime& time) {
        return time.benchmark == "bandwidth" && time.level == "l2" && time.values.at("bytes") <= l2 / 2;
      },
      false, "whole GPU over a footprint of at most half of L2", calibration);
  fit_rate(
      measured, "l1_bw_bytes_per_clk_per_sm", 1,
      [](const MeasuredTime& time) { return time.benchmark == "bandwidth" && time.level == "l1"; }, true,
      "groups over stretches of their own", calibration);
  fit_rate(
      measured, "smem_bw_bytes_per_clk_per_sm", 128, // a request is 32 words
      [](const MeasuredTime& time) {
        return time.benchmark == "shared" && time.mode == "banks" && time.values.at("stride") == 1;
      },
      true, "loads without bank conflict", calibration);
}

void fit_atomics(const Measured& measured, Calibration& calibration) {
  for (const auto& [key, spread] : {std::pair{"atomic_shared_latency_cycles", 32.0},
                                    std::pair{"atomic_shared_latency_32way_cycles", 1.0}})
    for (const UnitCost& cost : unit_costs(measured, [spread = spread](const MeasuredTime& time) {
           return time.benchmark == "shared" && time.mode == "atomics" && time.values.at("spread") == spread;
         }))
      calibration.values.push_back({key, cost.cycles_per_work, cost.spread, "chain of one warp"});
  const auto same_address = [](const MeasuredTime& time) {
    return time.benchmark == "control" && time.mode == "atomics" && time.values.at("mask") == 0;
  };
  const auto sms = measured.attributes.find("sm_count");
  if (sms != measured.attributes.end())
    fit_rate(measured, "atomic_global_same_addr_per_clk", sms->second, same_address, true,
             "all lanes of the GPU on one address", calibration);
}

} // namespace

void fit_memory(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_latencies(measured, base, calibration);
  fit_bandwidths(measured, base, calibration);
  fit_atomics(measured, calibration);
}

} // namespace forewarp::measure
