// What steps of the latency and of the bandwidth say of the caches: sizes, lines, sectors, ways, pages,
// slices.
#include "measure/calibrate/fit.h"
#include "measure/calibrate/slopes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace forewarp::measure {
namespace {

/// Cost (cycles of a load, or microseconds of a byte) by one value of the sweep.
using Curve = std::map<double, double>;

Curve curve_of(const Measured& measured, const std::string& level, const std::string& by,
               const std::function<bool(const MeasuredTime&)>& wanted = {}) {
  Curve curve;
  for (const UnitCost& cost : unit_costs(measured, [&](const MeasuredTime& time) {
         return time.level == level && (!wanted || wanted(time));
       }))
    curve[sweep_value(cost.point, by)] = cost.cycles_per_work > 0 ? cost.cycles_per_work : cost.us_per_work;
  return curve;
}

/// The last place before the cost leaves the lowest fifth between `low` and `high`; 0: it is never below.
double last_below(const Curve& curve, double low, double high) {
  double last = 0;
  for (const auto& [place, cost] : curve) {
    if (cost > low + 0.2 * (high - low))
      break;
    last = place;
  }
  return last;
}

/// The last place of the first level: before the first step of more than `ratio`. 0: no step.
double last_before_step(const Curve& curve, double ratio) {
  for (auto next = curve.begin(), at = curve.begin(); at != curve.end() && ++next != curve.end(); at = next)
    if (next->second > ratio * at->second)
      return at->first;
  return 0;
}

/// Bytes up to which a chase over lines stays as fast as over few of them.
void fit_l1_size(const Measured& measured, Calibration& calibration) {
  const Curve curve = curve_of(measured, "capacity", "footprint");
  if (curve.size() < 3)
    return;
  const double low = curve.begin()->second, high = curve.rbegin()->second;
  if (high < 1.2 * low) {
    calibration.notes.push_back("size of L1: the chase's latency has no step");
    return;
  }
  const double bytes = last_below(curve, low, high);
  calibration.facts.push_back(
      {"l1_capacity_bytes", "B", {bytes}, "last footprint of a chase before the latency rises"});
}

/// Beyond L1 each load of a stride of s bytes asks for s / sector of a sector: the latency grows until s is a
/// sector.
void fit_sector(const Measured& measured, Calibration& calibration) {
  const Curve curve = curve_of(measured, "sector", "words");
  if (curve.size() < 3 || curve.rbegin()->second < 1.2 * curve.begin()->second)
    return;
  const double most = curve.rbegin()->second;
  for (const auto& [words, cycles] : curve)
    if (cycles > 0.9 * most) {
      calibration.values.push_back({"l1_sector_bytes", 4 * words, 0, "stride from which each load misses"});
      return;
    }
}

/// Sum of squares between `costs` and the rising curve nearest to them (pool of adjacent violators).
double off_rising(const std::vector<double>& costs) {
  struct Pool {
    double sum, squares, count;
  };
  std::vector<Pool> pools;
  for (const double cost : costs) {
    pools.push_back({cost, cost * cost, 1});
    while (pools.size() > 1) {
      const Pool last = pools.back(), before = pools[pools.size() - 2];
      if (before.sum / before.count <= last.sum / last.count)
        break;
      pools.pop_back();
      pools.back() = {before.sum + last.sum, before.squares + last.squares, before.count + last.count};
    }
  }
  double off = 0;
  for (const Pool& pool : pools)
    off += pool.squares - pool.sum * pool.sum / pool.count;
  return off;
}

/// A footprint of strides s touches a line a load where s is a line or more, else every line. The more bytes
/// of lines, the more of them are gone before they are asked for again: the line with which the latency of
/// all probes rises with those bytes, whatever the size of the cache.
void fit_line(const Measured& measured, Calibration& calibration) {
  const std::vector<UnitCost> costs =
      unit_costs(measured, [](const MeasuredTime& time) { return time.level == "line"; });
  if (costs.size() < 8)
    return;
  double best_line = 0, least = 0;
  for (const double line : {32.0, 64.0, 128.0, 256.0}) {
    std::multimap<double, double> by_bytes;
    for (const UnitCost& cost : costs) {
      const double stride = 4 * sweep_value(cost.point, "words");
      by_bytes.emplace(std::floor(sweep_value(cost.point, "footprint") / stride) * std::min(line, stride),
                       cost.cycles_per_work);
    }
    std::vector<double> cycles;
    for (const auto& [bytes, cost] : by_bytes)
      cycles.push_back(cost);
    if (const double off = off_rising(cycles); best_line == 0 || off < least) {
      least = off;
      best_line = line;
    }
  }
  calibration.values.push_back({"l1_line_bytes", best_line, 0,
                                fmt::format("latency of {} strides and footprints rises with the bytes of "
                                            "lines that they touch",
                                            costs.size())});
}

/// Lines a power of two apart that stay. A cache that hashes its addresses keeps more than it has ways.
void fit_ways(const Measured& measured, Calibration& calibration) {
  constexpr std::pair<const char*, double> caches[] = {{"l1", 32768}, {"l2", 262144}};
  for (const auto& [name, words] : caches) {
    const Curve curve = curve_of(measured, "ways", "lines", [words = words](const MeasuredTime& time) {
      return sweep_value(time, "words") == words;
    });
    if (const double ways = last_before_step(curve, 1.3); ways > 0)
      calibration.facts.push_back(
          {fmt::format("{}_apparent_ways", name),
           "ways",
           {ways},
           fmt::format("lines {:.0f} bytes apart before the latency steps up", words * 4)});
  }
}

void fit_pages(const Measured& measured, Calibration& calibration) {
  const Curve curve = curve_of(measured, "pages", "footprint");
  if (curve.size() < 2)
    return;
  const double reach = last_before_step(curve, 1.2);
  calibration.facts.push_back({"tlb_reach_bytes",
                               "B",
                               {reach > 0 ? reach : curve.rbegin()->first},
                               reach > 0 ? "a line of each 2 MiB, before the latency steps up"
                                         : "a line of each 2 MiB: no step up to here"});
  std::vector<double> bytes, cycles;
  for (const auto& [place, cost] : curve) {
    bytes.push_back(place);
    cycles.push_back(cost);
  }
  calibration.facts.push_back({"page_chase_cycles", "cycles", cycles,
                               fmt::format("{} bytes, a line of each 2 MiB", fmt::join(bytes, ", "))});
}

void fit_constant_sizes(const Measured& measured, Calibration& calibration) {
  const Curve curve = curve_of(measured, "constant", "footprint",
                               [](const MeasuredTime& time) { return time.benchmark == "chase"; });
  if (const double bytes = last_before_step(curve, 1.25); bytes > 0)
    calibration.values.push_back(
        {"const_l1_size_bytes", bytes, 0, "last footprint before the latency steps up"});
}

/// The footprint beyond which the whole GPU reads slower.
void fit_l2_size(const Measured& measured, Calibration& calibration) {
  Curve curve;
  for (const UnitCost& cost : unit_costs(measured, [](const MeasuredTime& time) {
         return time.benchmark == "bandwidth" && time.mode == "footprint";
       }))
    curve[sweep_value(cost.point, "bytes")] = cost.us_per_work;
  const auto sms = measured.attributes.find("sm_count");
  if (curve.size() < 3 || sms == measured.attributes.end())
    return;
  const double fastest = std::min_element(curve.begin(), curve.end(), [](auto& a, auto& b) {
                           return a.second < b.second;
                         })->second;
  double last = 0;
  for (const auto& [bytes, cost] : curve)
    if (cost < 1.3 * fastest)
      last = bytes;
  calibration.facts.push_back(
      {"l2_capacity_bytes", "B", {last}, "last footprint that the GPU reads at L2's rate"});
  std::vector<double> places, rates;
  for (const auto& [bytes, cost] : curve) {
    places.push_back(bytes);
    rates.push_back(sms->second * 1e-3 / cost);
  }
  calibration.facts.push_back(
      {"read_gbps_by_footprint", "GB/s", rates, fmt::format("{} bytes", fmt::join(places, ", "))});
}

/// One line lies in one slice; many lines in all.
void fit_slices(const Measured& measured, Calibration& calibration) {
  const Curve curve = curve_of(measured, "slices", "lines");
  const auto sms = measured.attributes.find("sm_count");
  if (curve.size() < 2 || sms == measured.attributes.end())
    return;
  std::vector<double> lines, rates;
  for (const auto& [count, cycles] : curve) {
    lines.push_back(count);
    rates.push_back(sms->second / cycles);
  }
  calibration.facts.push_back({"l2_bytes_per_clk_by_lines", "B/clk/GPU", rates,
                               fmt::format("{} lines, all SMs", fmt::join(lines, ", "))});
  const double all = *std::max_element(rates.begin(), rates.end());
  calibration.facts.push_back(
      {"l2_apparent_slices", "count", {all / rates.front()}, "rate of many lines over the rate of one"});
}

} // namespace

void fit_geometry(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration) {
  fit_l1_size(measured, calibration);
  const bool sectored_by_probe = number_of(base, "l1_caches_global", 1) != 0;
  if (sectored_by_probe) {
    fit_sector(measured, calibration);
    fit_line(measured, calibration);
  }
  fit_ways(measured, calibration);
  fit_pages(measured, calibration);
  fit_constant_sizes(measured, calibration);
  fit_l2_size(measured, calibration);
  fit_slices(measured, calibration);
}

} // namespace forewarp::measure
