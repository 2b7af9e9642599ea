// Latency and throughput of the operation classes.
#include "facts/op_class.h"
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::measure {
namespace {

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
  std::stable_sort(costs.begin(), costs.end(), [](const UnitCost& a, const UnitCost& b) {
    const auto depth = [](const UnitCost& cost) {
      return cost.point.minus.empty() ? 0 : cost.point.minus.count("int_logic") ? 2 : 1;
    };
    return depth(a) < depth(b);
  });
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
      calibration.notes.push_back(fmt::format("{}: {:.1f} cycles in a dependent chain", name, *cycles));
    cost.cycles_per_work = *cycles;
    done.emplace(name, cost);
  }
}

/// Cycles of an SM for a step of one warp, from a grid that fills every SM.
double sm_cycles(const UnitCost& cost) {
  const double groups = cost.point.values.count("groups") ? cost.point.values.at("groups") : 1;
  return cost.cycles_per_work / (groups * cost.point.warps_per_group);
}

/// The series with most warps of each operation.
std::vector<UnitCost> fullest(std::vector<UnitCost> costs) {
  std::map<std::string, UnitCost> best;
  for (UnitCost& cost : costs) {
    const std::string name = cost.point.operation;
    const auto found = best.find(name);
    if (found == best.end() || sm_cycles(cost) < sm_cycles(found->second))
      best.insert_or_assign(name, std::move(cost));
  }
  std::vector<UnitCost> result;
  for (auto& [name, cost] : best)
    result.push_back(std::move(cost));
  return result;
}

void fit_throughputs(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  Costs done;
  const auto stored = [](const UnitCost& cost) { return cost.cycles_per_work; };
  for (UnitCost cost : in_order(fullest(unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "operation" && time.mode == "throughput";
       })))) {
    const std::string& name = cost.point.operation;
    // Operations of another unit run beside this one: they take nothing of its time.
    const auto same_unit = [&](const std::string& other) {
      return unit_of(base, other) == unit_of(base, name);
    };
    const auto cycles = alone(cost, done, sm_cycles(cost), same_unit, stored);
    if (!cycles || !(*cycles > 0))
      continue;
    if (is_class(name))
      calibration.values.push_back({"throughput." + name, 32 / *cycles, cost.spread, "chains on all SMs"});
    else
      calibration.notes.push_back(fmt::format("{}: {:.2f} cycles of an SM for a warp", name, *cycles));
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
