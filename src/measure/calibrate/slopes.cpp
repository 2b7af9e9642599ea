#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <cmath>

namespace forewarp::measure {
namespace {

/// Sweep names that only change the amount of work.
bool is_amount(const std::string& name) {
  return name == "rounds" || name == "passes" || name == "loads" || name == "waves" || name == "mib";
}

std::string series_key(const MeasuredTime& time) {
  std::string key = time.kernel;
  for (const auto& [name, value] : time.values)
    if (!is_amount(name))
      key += '/' + name + '=' + std::to_string(value);
  return key;
}

UnitCost cost_of(const MeasuredTime& least, const MeasuredTime& most, double sm_mhz) {
  UnitCost cost;
  cost.point = most;
  const bool one = &least == &most;
  const double work = most.work - (one ? 0 : least.work);
  const double time = most.median_us - (one ? 0 : least.median_us);
  cost.us_per_work = time / work;
  const double clock = most.sm_mhz > 0 ? most.sm_mhz : sm_mhz;
  cost.cycles_per_work = cost.us_per_work * clock;
  const double off = std::hypot(most.spread * most.median_us, one ? 0 : least.spread * least.median_us);
  cost.spread = time > 0 ? off / time : 0;
  return cost;
}

} // namespace

double sweep_value(const MeasuredTime& time, const std::string& name) {
  const auto found = time.values.find(name);
  return found == time.values.end() ? 0 : found->second;
}

double number_of(const gpu::GpuFile& base, const std::string& key, double fallback) {
  const auto found = base.values.find(key);
  const auto* value = found == base.values.end() ? nullptr : std::get_if<double>(&found->second.value);
  return value ? *value : fallback;
}

std::string text_of(const gpu::GpuFile& base, const std::string& key) {
  const auto found = base.values.find(key);
  const std::string* word =
      found == base.values.end() ? nullptr : std::get_if<std::string>(&found->second.value);
  return word != nullptr ? *word : "";
}

std::vector<UnitCost> unit_costs(const Measured& measured,
                                 const std::function<bool(const MeasuredTime&)>& wanted) {
  std::map<std::string, std::vector<const MeasuredTime*>> series;
  for (const MeasuredTime& time : measured.times)
    if (time.what == "time" && time.l2 != "cold" && time.work > 0 && wanted(time))
      series[series_key(time)].push_back(&time);
  std::vector<UnitCost> costs;
  for (const auto& [key, points] : series) {
    const auto [least, most] = std::minmax_element(
        points.begin(), points.end(), [](const auto* a, const auto* b) { return a->work < b->work; });
    const UnitCost cost = cost_of(**least, **most, measured.sm_mhz);
    if (cost.us_per_work > 0 && std::isfinite(cost.us_per_work))
      costs.push_back(cost);
  }
  return costs;
}

} // namespace forewarp::measure
