// Latency and throughput of the operation classes.
#include "facts/op_class.h"
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

/// Units that the class may run on, as one text.
std::string unit_of(const gpu::GpuFile& base, const std::string& operation) {
  const auto found = base.values.find("op_unit." + operation);
  const auto* text = found == base.values.end() ? nullptr : std::get_if<std::string>(&found->second.value);
  return text ? *text : "";
}

bool is_class(const std::string& operation) {
  return facts::op_class_from_string(operation).has_value();
}

/// Cycles of one operation by name, in the order fitted.
using Costs = std::map<std::string, UnitCost>;

/// What a step costs less its other operations; empty where one of those was not measured.
std::optional<double> alone(const UnitCost& cost, const Costs& others, double cycles,
                            const std::function<bool(const std::string&)>& counts,
                            const std::function<double(const UnitCost&)>& cycles_of) {
  for (const auto& [name, number] : cost.point.minus) {
    if (!counts(name))
      continue;
    const auto other = others.find(name);
    if (other == others.end())
      return std::nullopt;
    cycles -= number * cycles_of(other->second);
  }
  return cycles / cost.point.operations;
}

/// Steps whose other operations are measured themselves come behind those.
std::vector<UnitCost> in_order(std::vector<UnitCost> costs) {
  const auto depth_of = [&](const std::string& operation, auto&& self) -> int {
    int deepest = 0;
    for (const UnitCost& cost : costs)
      if (cost.point.operation == operation)
        for (const auto& [name, number] : cost.point.minus)
          if (name != operation)
            deepest = std::max(deepest, 1 + self(name, self));
    return deepest;
  };
  std::vector<std::pair<int, UnitCost>> order;
  for (const UnitCost& cost : costs)
    order.emplace_back(depth_of(cost.point.operation, depth_of), cost);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  costs.clear();
  for (auto& [depth, cost] : order)
    costs.push_back(std::move(cost));
  return costs;
}

void fit_latencies(const Measured& measured, Calibration& calibration) {
  Costs done;
  const auto latency = [](const UnitCost& cost) { return cost.cycles_per_work; };
  for (UnitCost cost : in_order(unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "operation" && time.mode == "latency";
       }))) {
    const auto cycles = alone(cost, done, latency(cost), [](const std::string&) { return true; }, latency);
    const std::string& name = cost.point.operation;
    if (!cycles || !(*cycles > 0)) {
      calibration.notes.push_back(
          fmt::format("latency of {} could not be told from its step's other operations", name));
      continue;
    }
    if (is_class(name))
      calibration.values.push_back({"latency." + name, *cycles, cost.spread, "dependent chain of one warp"});
    else
      calibration.facts.push_back({"Lambda_" + name, "cycles", {*cycles}, "dependent chain of one warp"});
    cost.cycles_per_work = *cycles;
    done.emplace(name, cost);
  }
}

void fit_throughputs(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  Costs done;
  const auto stored = [](const UnitCost& cost) { return cost.cycles_per_work; };
  for (UnitCost cost : in_order(unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "operation" && time.mode == "throughput";
       }))) {
    const std::string& name = cost.point.operation;
    // Operations of another unit run beside this one: they take nothing of its time.
    const auto same_unit = [&](const std::string& other) {
      return unit_of(base, other) == unit_of(base, name);
    };
    const auto cycles = alone(cost, done, cost.cycles_per_work, same_unit, stored);
    if (!cycles || !(*cycles > 0))
      continue;
    if (is_class(name))
      calibration.values.push_back({"throughput." + name, 32 / *cycles, cost.spread, "chains on all SMs"});
    else
      calibration.facts.push_back({"lambda_" + name, "cycles/warp-inst/SM", {*cycles}, "chains on all SMs"});
    cost.cycles_per_work = *cycles;
    done.emplace(name, cost);
  }
}

} // namespace

void fit_operations(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_latencies(measured, calibration);
  fit_throughputs(measured, base, calibration);
}

} // namespace forewarp::measure
