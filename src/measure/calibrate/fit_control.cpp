// Issue limit, instruction mix, barriers, divergence, further transactions, tensor cores.
#include "gpu/policies.h"
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::measure {
namespace {

std::vector<UnitCost> costs_of(const Measured& measured, const std::string& benchmark,
                               const std::string& mode) {
  std::vector<UnitCost> costs = unit_costs(
      measured, [&](const MeasuredTime& time) { return time.benchmark == benchmark && time.mode == mode; });
  std::erase_if(costs, [](const UnitCost& cost) { return !(cost.cycles_per_work > 0); });
  return costs;
}

/// Lemeire et al. section 4.2: the most instructions that a mix reaches.
void fit_issue(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  const UnitCost* best = nullptr;
  const auto costs = costs_of(measured, "issue", "");
  for (const UnitCost& cost : costs)
    if (!best || cost.cycles_per_work < best->cycles_per_work)
      best = &cost;
  const double schedulers = number_of(base, "warp_schedulers_per_sm", 0);
  if (!best || !(schedulers > 0))
    return;
  const double limit = 1 / best->cycles_per_work;
  calibration.values.push_back({"issue_per_scheduler", limit / schedulers, best->spread, best->point.kernel});
  calibration.facts.push_back({"issue_limit", "warp-inst/clk/SM", {limit}, best->point.kernel});
}

/// Numbers of a series of points by one value of their sweep or variant.
void state_curve(const std::vector<UnitCost>& costs, const std::string& by, bool relative,
                 const std::string& name, const std::string& unit, Calibration& calibration) {
  std::map<double, double> curve;
  for (const UnitCost& cost : costs)
    curve[sweep_value(cost.point, by)] = cost.cycles_per_work;
  if (curve.size() < 2)
    return;
  std::vector<double> places, cycles;
  for (const auto& [place, value] : curve) {
    places.push_back(place);
    cycles.push_back(relative ? value / curve.begin()->second : value);
  }
  calibration.facts.push_back({name, unit, cycles, fmt::format("{} {}", by, fmt::join(places, ", "))});
}

/// A group of four warps, which the SM counts one after the other.
void fit_barrier(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  const auto costs = costs_of(measured, "control", "barrier");
  for (const UnitCost& cost : costs)
    if (sweep_value(cost.point, "size") == 128)
      calibration.values.push_back({"barrier_latency_cycles",
                                    cost.cycles_per_work - 3 * number_of(base, "issue_cycles.barrier", 0),
                                    cost.spread, "barriers in a row, group of 128 work-items"});
  state_curve(costs, "size", false, "barrier_cycles_by_group_size", "cycles", calibration);
  for (const UnitCost& cost : costs_of(measured, "control", "barrier_full"))
    calibration.facts.push_back({"lambda_bar_sync",
                                 "cycles/warp-inst/SM",
                                 {cost.cycles_per_work},
                                 "full SMs, with the multiply-add between two barriers"});
}

/// SM cycles of a request by stride, at one footprint.
std::map<double, double> request_cycles(const Measured& measured, double words) {
  std::map<double, double> cycles;
  for (const UnitCost& cost : costs_of(measured, "bandwidth", "strided"))
    if (sweep_value(cost.point, "words") == words)
      cycles[sweep_value(cost.point, "stride")] = cost.cycles_per_work;
  return cycles;
}

/// Wang, Zhong, Mitra: the departure delay is what one transaction more takes. From 4 to 32 sectors a
/// request.
void fit_transactions(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  constexpr std::pair<const char*, double> levels[] = {{"l1", 4096}, {"l2", 262144}, {"dram", 67108864}};
  for (const auto& [level, words] : levels) {
    const auto cycles = request_cycles(measured, words);
    if (!cycles.count(1) || !cycles.count(8))
      continue;
    calibration.facts.push_back({fmt::format("departure_delay_{}", level),
                                 "cycles",
                                 {(cycles.at(8) - cycles.at(1)) / 28},
                                 fmt::format("a 32-byte sector more of a request, {:.0f} bytes", words * 4)});
  }
  // Stride 33: every lane a line and a bank of its own; the first line is looked up in the first cycle.
  const auto in_l1 = request_cycles(measured, 4096);
  const bool tagged = text_of(base, "l1_pass_rule").starts_with("sector");
  // 32 sectors of 32 bytes: where moving them takes as long, the tags cannot be seen.
  double bytes_per_cycle = number_of(base, "l1_bw_bytes_per_clk_per_sm", 0);
  for (const FittedValue& value : calibration.values)
    if (value.key == "l1_bw_bytes_per_clk_per_sm")
      bytes_per_cycle = value.value;
  if (tagged && in_l1.count(33) && bytes_per_cycle > 0 && in_l1.at(33) > 1.05 * 1024 / bytes_per_cycle)
    calibration.values.push_back({"l1_tag_lookups_per_clk", 31 / (in_l1.at(33) - 1), 0, "a line a lane"});
}

/// The operations of a 16x16x16 product of halves by a warp do not wait for each other: behind one another in
/// its scheduler's tensor core, the last ends the product.
void fit_tensor(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  constexpr double product = 16.0 * 16 * 16;
  const double operations = product / gpu::tensor_multiply_adds(text_of(base, "tensor_shape"));
  const auto rates = costs_of(measured, "tensor", "throughput");
  const auto best = std::min_element(rates.begin(), rates.end(), [](const UnitCost& a, const UnitCost& b) {
    return a.cycles_per_work < b.cycles_per_work;
  });
  double before_last_cycles = 0;
  if (best != rates.end()) {
    before_last_cycles =
        (operations - 1) / operations * best->cycles_per_work * number_of(base, "warp_schedulers_per_sm", 1);
    calibration.values.push_back(
        {"throughput.tensor_mma", 32 * operations / best->cycles_per_work, best->spread,
         fmt::format("16x16x16 products, {:.0f} warps on each SM", sweep_value(best->point, "warps"))});
    calibration.facts.push_back(
        {"tensor_flops_per_clk_sm", "flop/clk/SM", {2 * product / best->cycles_per_work}, "as throughput"});
  }
  for (const UnitCost& cost : costs_of(measured, "tensor", "latency"))
    calibration.values.push_back({"latency.tensor_mma", cost.cycles_per_work - before_last_cycles,
                                  cost.spread, "dependent 16x16x16 products of one warp"});
}

} // namespace

void fit_control(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_issue(measured, base, calibration);
  fit_barrier(measured, base, calibration);
  fit_transactions(measured, base, calibration);
  fit_tensor(measured, base, calibration);
  state_curve(costs_of(measured, "mix", ""), "beta", false, "sine_cycles_by_fmas", "cycles/step",
              calibration);
  state_curve(costs_of(measured, "control", "divergence"), "paths", true, "divergence_by_paths", "ratio",
              calibration);
}

} // namespace forewarp::measure
