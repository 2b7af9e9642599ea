// Hand-made traces: a kernel is a function (thread, iteration) -> addresses; the builder writes what the
// interpreter would.
#pragma once

#include "facts/trace.h"
#include "gpu/machine.h"
#include "memory/profile.h"

#include <functional>
#include <optional>

namespace forewarp::memory::test {

struct Thread {
  facts::Dim3 group, local; ///< local: index in the group
};

/// One memory instruction, run `iterations` times by every thread, in the order of the list within an
/// iteration; an iteration is one run of a basic block.
struct Access {
  facts::MemorySite site;
  std::function<std::optional<std::uint64_t>(const Thread&, unsigned iteration)> address;
  bool unknown = false;
};

struct Kernel {
  facts::Dim3 grid, block;
  unsigned iterations = 1;
  std::vector<Access> accesses;
  std::vector<facts::MemoryRegion> regions;
  unsigned warp_width = 32;
};

inline facts::MemoryEvent event_from(const std::array<std::optional<std::uint64_t>, 64>& lanes,
                                     unsigned width, std::vector<std::int64_t>& offsets) {
  using Pattern = facts::MemoryEvent::Pattern;
  facts::MemoryEvent e;
  int first = -1, second = -1;
  for (int l = 0; l < static_cast<int>(width); ++l)
    if (lanes[static_cast<std::size_t>(l)]) {
      e.active |= 1ULL << l;
      if (first < 0)
        first = l;
      else if (second < 0)
        second = l;
    }
  if (first < 0)
    return e;
  const auto at = [&](int l) { return static_cast<std::int64_t>(*lanes[static_cast<std::size_t>(l)]); };
  e.stride = second < 0 ? 0 : (at(second) - at(first)) / (second - first);
  const std::int64_t base = at(first) - e.stride * first;
  bool affine = true;
  for (int l = 0; l < static_cast<int>(width); ++l)
    if (lanes[static_cast<std::size_t>(l)])
      affine &= at(l) == base + e.stride * l;
  e.base = static_cast<std::uint64_t>(base);
  if (affine)
    return e;
  for (std::uint8_t row = 2; row < width; row = static_cast<std::uint8_t>(row * 2)) {
    bool fits = true;
    const auto full = e.active == (width == 64 ? ~0ULL : (1ULL << width) - 1);
    if (!full)
      break;
    const std::int64_t s = at(1) - at(0), r = at(row) - at(0);
    for (int l = 0; l < static_cast<int>(width); ++l)
      fits &= at(l) == at(0) + s * (l % row) + r * (l / row);
    if (fits) {
      e.pattern = Pattern::affine2;
      e.row_lanes = row;
      e.stride = s;
      e.row_stride = r;
      e.base = static_cast<std::uint64_t>(at(0));
      return e;
    }
  }
  e.pattern = Pattern::explicit_offsets;
  e.base = static_cast<std::uint64_t>(at(first));
  e.first_offset = static_cast<std::uint32_t>(offsets.size());
  for (int l = 0; l < static_cast<int>(width); ++l)
    offsets.push_back(lanes[static_cast<std::size_t>(l)] ? at(l) - at(first) : 0);
  return e;
}

inline facts::GroupTrace run_group(const Kernel& k, const facts::Dim3& group) {
  facts::GroupTrace out;
  out.group = group;
  const std::uint64_t threads = k.block.count();
  std::uint64_t behaviour = 1;
  for (std::uint64_t first = 0; first < threads; first += k.warp_width) {
    facts::WarpTrace warp;
    for (unsigned i = 0; i < k.iterations; ++i) {
      facts::BlockStep step;
      step.first_event = static_cast<std::uint32_t>(warp.events.size());
      warp.steps.push_back(step);
      for (std::uint32_t a = 0; a < k.accesses.size(); ++a) {
        std::array<std::optional<std::uint64_t>, 64> lanes;
        for (unsigned l = 0; l < k.warp_width && first + l < threads; ++l) {
          const std::uint64_t t = first + l;
          lanes[l] = k.accesses[a].address(
              {group, {t % k.block.x, t / k.block.x % k.block.y, t / k.block.x / k.block.y}}, i);
        }
        facts::MemoryEvent e = event_from(lanes, k.warp_width, warp.offsets);
        e.site = a;
        e.space = k.accesses[a].site.space;
        if (k.accesses[a].unknown)
          e.pattern = facts::MemoryEvent::Pattern::unknown;
        behaviour = behaviour * 1099511628211ULL + e.active + a;
        if (e.active)
          warp.events.push_back(e);
      }
    }
    out.warps.push_back(std::move(warp));
  }
  out.behaviour = behaviour;
  return out;
}

/// Trace of the given groups (linear indices); weights by the share of each behaviour among them.
inline facts::KernelTrace trace_of(const Kernel& k, const std::vector<std::uint64_t>& groups) {
  facts::KernelTrace trace;
  trace.warp_width = k.warp_width;
  trace.shape.groups = k.grid;
  trace.shape.group_size = k.block;
  trace.regions = k.regions;
  for (const std::uint64_t g : groups)
    trace.groups.push_back(run_group(k, {g % k.grid.x, g / k.grid.x % k.grid.y, g / k.grid.x / k.grid.y}));
  trace.whole_grid = groups.size() == k.grid.count();
  for (std::uint32_t g = 0; g < trace.groups.size(); ++g) {
    auto c = std::find_if(trace.classes.begin(), trace.classes.end(),
                          [&](const auto& x) { return x.behaviour == trace.groups[g].behaviour; });
    if (c == trace.classes.end())
      c = trace.classes.insert(trace.classes.end(), facts::BehaviourClass{trace.groups[g].behaviour, {}, 0});
    c->samples.push_back(g);
    c->weight_groups += static_cast<double>(k.grid.count()) / static_cast<double>(groups.size());
  }
  return trace;
}

inline std::vector<std::uint64_t> all_groups(const Kernel& k) {
  std::vector<std::uint64_t> out(k.grid.count());
  for (std::uint64_t g = 0; g < out.size(); ++g)
    out[g] = g;
  return out;
}

/// Corners, their neighbours and a few inner groups: what a sampler would take.
inline std::vector<std::uint64_t> sample_groups(const Kernel& k) {
  std::vector<std::uint64_t> out;
  const auto add = [&](std::uint64_t x, std::uint64_t y) {
    const std::uint64_t g = std::min(x, k.grid.x - 1) + k.grid.x * std::min(y, k.grid.y - 1);
    if (std::find(out.begin(), out.end(), g) == out.end())
      out.push_back(g);
  };
  for (const std::uint64_t y : {std::uint64_t{0}, std::uint64_t{1}, k.grid.y / 2, k.grid.y - 1})
    for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, k.grid.x / 3, k.grid.x - 1})
      add(x, y);
  std::sort(out.begin(), out.end());
  return out;
}

inline std::vector<facts::MemorySite> sites_of(const Kernel& k) {
  std::vector<facts::MemorySite> out;
  for (const Access& a : k.accesses)
    out.push_back(a.site);
  return out;
}

inline facts::MemorySite site(facts::AccessKind kind, facts::MemorySpace space, unsigned width,
                              std::string buffer = {}) {
  facts::MemorySite s;
  s.kind = kind;
  s.space = space;
  s.width_bytes = width;
  s.buffer = std::move(buffer);
  return s;
}
inline facts::MemorySite load(unsigned width, std::string buffer = {}) {
  return site(facts::AccessKind::load, facts::MemorySpace::global, width, std::move(buffer));
}
inline facts::MemorySite store(unsigned width, std::string buffer = {}) {
  return site(facts::AccessKind::store, facts::MemorySpace::global, width, std::move(buffer));
}

/// A part like a V100: 80 SMs, 128 KiB unified L1 of 128-byte lines with 32-byte sectors, 6 MiB L2.
inline gpu::Machine volta_like() {
  gpu::Machine m;
  m.name = "test";
  m.sm_count = 80;
  m.memory.l1 = {true, 131072, 128, 32, 4, true, false, false};
  m.memory.l1_pass_rule = gpu::L1PassRule::sector_banks;
  m.memory.l1_replacement = "random";
  m.memory.l2 = {true, 6291456, 128, 32, 16, false, true, true};
  m.memory.constant_l1 = {true, 2048, 64, 64, 4, false, false, false};
  m.limits.shared_carveouts_bytes = {0, 8192, 16384, 32768, 65536, 98304};
  return m;
}

/// Caches globals in L1 by whole 128-byte lines, as Fermi does.
inline gpu::Machine fermi_like() {
  gpu::Machine m = volta_like();
  m.sm_count = 14;
  m.memory.l1 = {true, 16384, 128, 128, 4, false, false, false};
  m.memory.l1_pass_rule = gpu::L1PassRule::lines;
  m.memory.l1_replacement = "lru";
  m.memory.l2.size_bytes = 786432;
  m.limits.shared_carveouts_bytes.clear();
  return m;
}

} // namespace forewarp::memory::test
