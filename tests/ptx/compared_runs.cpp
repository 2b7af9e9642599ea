#include "ptx/compared_runs.h"

#include "codegen/machine_step.h"
#include "simt/run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace forewarp::round_trip {
namespace {

/// Places of one run as places of the other: variables are paired in the order in which they are first met.
class Places {
public:
  Places(const facts::KernelTrace& here, const facts::KernelTrace& there) : here_(here), there_(there) {}

  bool same(std::uint64_t a, std::uint64_t b) {
    const int x = region(here_, a), y = region(there_, b);
    if (x < 0 || y < 0)
      return x == y && a == b;
    const auto [pair, is_new] = pairs_.try_emplace(x, y);
    return pair->second == y && a - here_.regions[static_cast<std::size_t>(x)].base ==
                                    b - there_.regions[static_cast<std::size_t>(y)].base;
  }

private:
  static int region(const facts::KernelTrace& trace, std::uint64_t address) {
    for (std::size_t i = 0; i < trace.regions.size(); ++i)
      if (address - trace.regions[i].base < trace.regions[i].size_bytes)
        return static_cast<int>(i);
    return -1;
  }
  const facts::KernelTrace &here_, &there_;
  std::map<int, int> pairs_;
};

std::uint64_t address_of(const facts::WarpTrace& warp, const facts::MemoryEvent& event, unsigned lane) {
  using Pattern = facts::MemoryEvent::Pattern;
  std::int64_t offset = 0;
  if (event.pattern == Pattern::affine)
    offset = lane * event.stride;
  else if (event.pattern == Pattern::affine2)
    offset = lane % event.row_lanes * event.stride + lane / event.row_lanes * event.row_stride;
  else if (event.pattern == Pattern::explicit_offsets)
    offset = warp.offsets[event.first_offset + lane];
  return event.base + static_cast<std::uint64_t>(offset);
}

bool is_compared(const facts::MemoryEvent& event) {
  return event.space == facts::MemorySpace::global || event.space == facts::MemorySpace::shared;
}

std::vector<const facts::MemoryEvent*> compared_events(const facts::WarpTrace& warp) {
  std::vector<const facts::MemoryEvent*> events;
  for (const facts::MemoryEvent& event : warp.events)
    if (is_compared(event))
      events.push_back(&event);
  return events;
}

std::string compare_warps(const facts::WarpTrace& a, const facts::WarpTrace& b, Places& places,
                          unsigned lanes) {
  const auto x = compared_events(a), y = compared_events(b);
  if (x.size() != y.size())
    return fmt::format("{} accesses, not {}", y.size(), x.size());
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (x[e]->active != y[e]->active || x[e]->space != y[e]->space)
      return fmt::format("access {} is by other lanes or of another memory", e);
    for (unsigned lane = 0; lane < lanes; ++lane)
      if ((x[e]->active >> lane & 1) != 0 &&
          !places.same(address_of(a, *x[e], lane), address_of(b, *y[e], lane)))
        return fmt::format("access {} of lane {} goes elsewhere", e, lane);
  }
  return "";
}

std::string compare_traces(const facts::KernelTrace& a, const facts::KernelTrace& b) {
  if (a.groups.size() != b.groups.size())
    return "other groups";
  Places places(a, b);
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    if (a.groups[g].warps.size() != b.groups[g].warps.size())
      return "other warps";
    for (std::size_t w = 0; w < a.groups[g].warps.size(); ++w)
      if (const std::string found =
              compare_warps(a.groups[g].warps[w], b.groups[g].warps[w], places, a.warp_width);
          !found.empty())
        return fmt::format("group {}, warp {}: {}", g, w, found);
  }
  return "";
}

using Counts = std::map<std::string, double>;

struct Executed {
  Counts by_unit, by_class;
  std::vector<std::uint64_t> barriers; ///< by warp
};

Executed executed(const facts::KernelTrace& trace, const facts::MachineProgram& program,
                  const gpu::Machine& machine) {
  Executed made;
  for (const facts::GroupTrace& group : trace.groups)
    for (const facts::WarpTrace& warp : group.warps) {
      std::uint64_t barriers = 0;
      for (const facts::BlockStep& step : warp.steps)
        for (const facts::MachineOp& op : program.blocks[step.block].ops) {
          barriers += op.op == facts::OpClass::barrier;
          const int unit = machine.timing(op.op).unit;
          const auto& units = machine.units;
          ++made.by_class[std::string(facts::to_string(op.op))];
          ++made.by_unit[unit >= 0 && static_cast<std::size_t>(unit) < units.size()
                             ? units[static_cast<std::size_t>(unit)].name
                             : "none"];
        }
      made.barriers.push_back(barriers);
    }
  return made;
}

std::map<std::string, std::pair<double, double>> side_by_side(const Counts& here, const Counts& there) {
  std::map<std::string, std::pair<double, double>> pairs;
  for (const auto& [name, count] : here)
    pairs[name].first = count;
  for (const auto& [name, count] : there)
    pairs[name].second = count;
  return pairs;
}

void compare_operations(const Counts& here, const Counts& there, Difference& found) {
  double all = 0;
  for (const auto& [unit, count] : here)
    all += count;
  found.operations = side_by_side(here, there);
  constexpr double least_share = 0.01;
  for (const auto& [unit, counts] : found.operations) {
    const auto [a, b] = counts;
    if (std::max(a, b) < least_share * all)
      continue;
    const double off = a > 0 ? std::abs(b / a - 1) : 1;
    if (off > found.worst_operations) {
      found.worst_operations = off;
      found.worst_unit = unit;
    }
  }
}

std::string compare_buffers(const std::vector<simt::BufferResult>& a,
                            const std::vector<simt::BufferResult>& b) {
  if (a.size() != b.size())
    return "other buffers";
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].bytes != b[i].bytes)
      return a[i].name;
  return "";
}

} // namespace

Result<Difference> compare(const Side& here, const Side& there, const gpu::Machine& machine) {
  simt::RunOptions options;
  options.whole_grid = true;
  options.max_trace_bytes = 2'000'000'000;
  const auto a = simt::run(*here.module, *here.kernel, here.launch, options);
  FOREWARP_TRY(a);
  const auto b = simt::run(*there.module, *there.kernel, there.launch, options);
  FOREWARP_TRY(b);
  const auto first = codegen::lower(*here.module, *here.kernel, machine);
  FOREWARP_TRY(first);
  const auto second = codegen::lower(*there.module, *there.kernel, machine);
  FOREWARP_TRY(second);
  Difference found;
  found.buffers = compare_buffers(a->buffers, b->buffers);
  found.addresses = compare_traces(a->trace, b->trace);
  const Executed x = executed(a->trace, *first, machine), y = executed(b->trace, *second, machine);
  if (x.barriers != y.barriers)
    found.barriers = "a warp comes to another number of barriers";
  compare_operations(x.by_unit, y.by_unit, found);
  found.classes = side_by_side(x.by_class, y.by_class);
  return found;
}

facts::Launch renamed(const facts::Launch& launch, const ir::KernelSignature& from,
                      const ir::KernelSignature& to) {
  facts::Launch made = launch;
  made.arguments.clear();
  for (std::size_t i = 0; i < from.parameters.size() && i < to.parameters.size(); ++i) {
    auto value = launch.arguments.find(from.parameters[i].name);
    if (value == launch.arguments.end())
      value = launch.arguments.find(std::to_string(i));
    if (value != launch.arguments.end())
      made.arguments[to.parameters[i].name] = value->second;
  }
  return made;
}

} // namespace forewarp::round_trip
