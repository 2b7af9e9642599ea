// Operations by type and resident warps: H's Table I (Wang, Huang, Knoll, Qian) and P's Table 5 (Lemeire,
// Cornelis, Konstantinidis). No key of the default model takes them: facts under P's names.
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
    if (warps.size() > 2)
      calibration.facts.push_back({"latency_by_warps_" + name, "cycles", latencies,
                                   fmt::format("{} warps of an SM", fmt::join(warps, ", "))});
  }
}

} // namespace forewarp::measure
