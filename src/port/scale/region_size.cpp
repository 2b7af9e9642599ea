#include "port/scale/region_size.h"

#include "port/scale/extrapolate.h"
#include "port/warps/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace forewarp::port {
namespace {

/// Smaller runs as shares of the traced size.
constexpr std::array<double, 4> shares = {1, 0.75, 0.5, 0.375};

class Scaler {
public:
  Scaler(const std::vector<SizedRun>& runs, const std::string& leading, double target) : target_(target) {
    for (const SizedRun& run : runs) {
      sizes_.push_back(run.sizes.at(leading));
      measured_.push_back(size_of(*run.trace));
      const std::vector<double> bytes = measured_.back().object_bytes;
      const std::vector<std::uint32_t> base = object_order(*runs.front().trace),
                                       own = object_order(*run.trace);
      for (std::size_t i = 0; i < base.size(); ++i)
        measured_.back().object_bytes[base[i]] = bytes[own[i]];
    }
  }
  const RegionSize& traced() const { return measured_[0]; }

  double plain(const std::function<double(const RegionSize&)>& quantity) {
    const Extrapolation out = fit(quantity);
    note(out, out.value);
    return out.value;
  }
  /// A quantity of one thread: a polynomial of its own, or that of all threads together.
  double per_thread(const std::function<double(const RegionSize&)>& quantity, double threads) {
    const Extrapolation own = fit(quantity);
    if (own.confirmed)
      return own.value;
    const Extrapolation all = fit([&](const RegionSize& size) { return quantity(size) * size.threads; });
    if (all.confirmed && threads > 0)
      return all.value / threads;
    note(own, own.value);
    return own.value;
  }
  double error() const { return error_; }

private:
  Extrapolation fit(const std::function<double(const RegionSize&)>& quantity) const {
    std::vector<double> values;
    for (const RegionSize& size : measured_)
      values.push_back(quantity(size));
    return extrapolate(sizes_, values, target_);
  }
  void note(const Extrapolation& out, double value) {
    if (!out.confirmed && value > 0 && std::abs(out.error) > std::abs(error_))
      error_ = out.error;
  }

  double target_;
  std::vector<double> sizes_;
  std::vector<RegionSize> measured_;
  double error_ = 0;
};

bool alike(const facts::RegionTrace& a, const facts::RegionTrace& b) {
  return a.blocks.size() == b.blocks.size() && a.loops.size() == b.loops.size() &&
         a.dimensions == b.dimensions && a.objects.size() == b.objects.size();
}

} // namespace

RegionSize size_of(const facts::RegionTrace& trace) {
  RegionSize size;
  const facts::RegionLaunch* detailed =
      trace.detailed_launch < trace.launches.size() ? &trace.launches[trace.detailed_launch] : nullptr;
  for (unsigned d = 0; d < 3; ++d)
    size.extents[d] = static_cast<double>(trace.extents[d]);
  size.threads = detailed ? static_cast<double>(detailed->threads)
                          : static_cast<double>(trace.extents[0] * trace.extents[1] * trace.extents[2]);
  for (const facts::RegionBlock& block : trace.blocks)
    size.block_runs.push_back(static_cast<double>(block.detailed_launch_runs) / std::max(1.0, size.threads));
  size.launches = std::max<double>(1, static_cast<double>(trace.launches.size()));
  double work = 0;
  for (const facts::RegionLaunch& launch : trace.launches)
    work += static_cast<double>(launch.block_runs);
  if (detailed && detailed->block_runs > 0)
    size.work_launches = work / static_cast<double>(detailed->block_runs);
  for (const facts::RegionObject& object : trace.objects) {
    size.object_bytes.push_back(static_cast<double>(object.size_bytes));
    if (object.privatizable)
      continue;
    size.copy_in_bytes += static_cast<double>(object.copy_in_bytes);
    size.copy_out_bytes += static_cast<double>(object.written_bytes);
  }
  return size;
}

std::string leading_size(const Sizes& traced, const Sizes& wanted) {
  std::string name;
  double most = 0;
  for (const auto& [key, value] : wanted) {
    const auto from = traced.find(key);
    const double growth = from == traced.end() ? 0 : std::abs(std::log(value / from->second));
    if (growth > most)
      most = growth, name = key;
  }
  return name;
}

Result<std::vector<Sizes>> scaling_runs(const Sizes& traced, const Sizes& wanted) {
  Sizes changed;
  for (const auto& [name, value] : wanted) {
    const auto found = traced.find(name);
    if (found == traced.end())
      return fail(ErrorCode::bad_input, fmt::format("--size {} has no traced value", name), "--size",
                  fmt::format("give the size to trace too: -D {}=128", name));
    if (!(value >= 1) || !(found->second >= 1))
      return fail(ErrorCode::bad_input,
                  fmt::format("{} = {:g} is no size", name, std::min(value, found->second)), "--size",
                  "sizes are at least 1");
    if (value != found->second)
      changed[name] = value;
  }
  if (changed.empty())
    return std::vector<Sizes>{traced};
  const std::string lead = leading_size(traced, changed);
  std::vector<Sizes> runs;
  for (const double share : shares) {
    Sizes sizes = traced;
    // On the line through the traced and the wanted sizes, the leading one at `share` of its traced value.
    const double way = (share - 1) * traced.at(lead) / (changed.at(lead) - traced.at(lead));
    for (const auto& [name, value] : changed)
      sizes[name] = std::max(1.0, std::round(traced.at(name) + way * (value - traced.at(name))));
    if (!runs.empty() && sizes[lead] >= runs.back().at(lead))
      return fail(ErrorCode::bad_input,
                  fmt::format("{} = {:g} is too small to run smaller sizes beside it", lead, traced.at(lead)),
                  "-D", fmt::format("trace a larger size: -D {}=128", lead));
    runs.push_back(std::move(sizes));
  }
  return runs;
}

Result<RegionSize> scale(const std::vector<SizedRun>& runs, const Sizes& wanted) {
  const Sizes& base = runs.front().sizes;
  Sizes changed;
  for (const auto& [name, value] : wanted)
    if (!base.contains(name) || base.at(name) != value)
      changed[name] = value;
  if (changed.empty())
    return size_of(*runs.front().trace);
  for (const SizedRun& run : runs)
    if (!alike(*runs.front().trace, *run.trace))
      return fail(ErrorCode::bad_input,
                  "the region is other code at other sizes, so nothing can be extrapolated",
                  fmt::format("region '{}'", runs.front().trace->name), "trace the wanted size itself");
  const std::string lead = leading_size(base, changed);
  Scaler scaler(runs, lead, changed.at(lead));
  RegionSize out = scaler.traced();
  for (unsigned d = 0; d < 3; ++d)
    out.extents[d] = std::round(scaler.plain([d](const RegionSize& s) { return s.extents[d]; }));
  out.threads = scaler.plain([](const RegionSize& s) { return s.threads; });
  for (std::size_t b = 0; b < out.block_runs.size(); ++b)
    out.block_runs[b] =
        std::max(0.0, scaler.per_thread([b](const RegionSize& s) { return s.block_runs[b]; }, out.threads));
  out.launches = std::round(scaler.plain([](const RegionSize& s) { return s.launches; }));
  out.work_launches = scaler.plain([](const RegionSize& s) { return s.work_launches; });
  out.copy_in_bytes = scaler.plain([](const RegionSize& s) { return s.copy_in_bytes; });
  out.copy_out_bytes = scaler.plain([](const RegionSize& s) { return s.copy_out_bytes; });
  for (std::size_t o = 0; o < out.object_bytes.size(); ++o)
    out.object_bytes[o] = scaler.plain([o](const RegionSize& s) { return s.object_bytes[o]; });
  out.error = scaler.error();
  out.method = fmt::format("extrapolated from {} runs ({} = {:g} to {:g})", runs.size(), lead,
                           runs.back().sizes.at(lead), base.at(lead));
  return out;
}

} // namespace forewarp::port
