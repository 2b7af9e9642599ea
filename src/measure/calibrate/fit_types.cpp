// Operations by type and resident warps: H's Table I (Wang, Huang, Knoll, Qian) and P's Table 5 (Lemeire,
// Cornelis, Konstantinidis). Curves over warps are keys of the GPU file where the operation is a class; the
// rest are facts under P's names, which no key of the default model takes.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace forewarp::measure {
namespace {

/// SM cycles of one warp's step, by resident warps of the SM.
using Curve = std::map<double, double>;

struct Step {
  Curve cycles;
  double operations = 1;
  std::map<std::string, double> minus;
};

std::map<std::pair<std::string, std::string>, Step> steps_of(const Measured& measured) {
  std::map<std::pair<std::string, std::string>, Step> steps; // by type and operation
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return !time.type.empty() && time.mode == "occupancy";
       })) {
    Step& step = steps[{cost.point.type, cost.point.operation}];
    step.cycles[sweep_value(cost.point, "warps")] = cost.cycles_per_work;
    step.operations = cost.point.operations;
    step.minus = cost.point.minus;
  }
  return steps;
}

/// The class of the operation table that a measured operation is; "": none.
std::string class_of(const std::string& operation, const std::string& type) {
  const bool integer = type == "i32" || type == "u32";
  const std::map<std::string, std::string> of_integers = {{"add", "int_add"},
                                                          {"mul", "int_mul"},
                                                          {"shl", "int_shift"}},
                                           of_floats = {{"add", "_add"}, {"mul", "_mul"}, {"mad", "_fma"}};
  if (integer) {
    const auto found = of_integers.find(operation);
    return type == "i32" && found != of_integers.end() ? found->second : "";
  }
  const std::string precision = type == "f32" ? "fp32" : type == "f64" ? "fp64" : "";
  const auto found = of_floats.find(operation);
  return precision.empty() || found == of_floats.end() ? "" : precision + found->second;
}

/// 1, 2, 4, 8, ...: what a list without places means.
bool are_powers(const std::vector<double>& warps) {
  for (std::size_t i = 0; i < warps.size(); ++i)
    if (warps[i] != static_cast<double>(1ULL << i))
      return false;
  return true;
}

} // namespace

void fit_types(const Measured& measured, Calibration& calibration) {
  const auto steps = steps_of(measured);
  for (const auto& [key, step] : steps) {
    const auto& [type, operation] = key;
    std::vector<double> warps, latencies;
    for (const auto& [count, cycles] : step.cycles) {
      double own = cycles;
      for (const auto& [other, number] : step.minus)
        if (const auto found = steps.find({type, other}); found != steps.end())
          if (const auto same = found->second.cycles.find(count); same != found->second.cycles.end())
            own -= number * same->second / found->second.operations;
      warps.push_back(count);
      latencies.push_back(std::max(0.0, own / step.operations));
    }
    if (latencies.empty() || !(latencies.back() > 0))
      continue;
    const std::string name = operation + '_' + type;
    if (warps.front() == 1 && latencies.front() > 0)
      calibration.facts.push_back(
          {"Lambda_" + name, "cycles", {latencies.front()}, "dependent chain, one warp of an SM"});
    calibration.facts.push_back({"lambda_" + name,
                                 "cycles/warp-inst/SM",
                                 {latencies.back() / warps.back()},
                                 fmt::format("{:g} warps of an SM, a chain each", warps.back())});
    const std::string operation_class = class_of(operation, type);
    if (!operation_class.empty() && warps.size() > 2 && are_powers(warps))
      calibration.values.push_back(
          {"latency_by_warps." + operation_class, latencies.front(), 0, "a dependent chain each", latencies});
    else if (warps.size() > 2)
      calibration.facts.push_back({"latency_by_warps_" + name, "cycles", latencies,
                                   fmt::format("{} warps of an SM", fmt::join(warps, ", "))});
  }
}

} // namespace forewarp::measure
