#include "memory/translate/stream.h"

#include "memory/coalesce/constant.h"
#include "support/counter_random.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {

std::size_t RequestTable::Hash::operator()(const Key& key) const {
  std::uint64_t h = counter_random(key.active, key.align);
  h = counter_random(h, static_cast<std::uint64_t>(key.stride));
  h = counter_random(h, static_cast<std::uint64_t>(key.row_stride));
  h = counter_random(h, key.width | static_cast<std::uint64_t>(key.pattern) << 32 |
                            static_cast<std::uint64_t>(key.row_lanes) << 40 |
                            static_cast<std::uint64_t>(key.route) << 48 |
                            static_cast<std::uint64_t>(key.local) << 56);
  return static_cast<std::size_t>(h);
}

RequestTable::RequestTable(const gpu::MemoryTiming& memory, unsigned warp_width)
    : memory_(memory), warp_width_(warp_width) {
  for (const Route route : {Route::l1, Route::l2, Route::store, Route::atomic, Route::constant})
    rules_.push_back(coalesce_rule(memory, route));
}

Request RequestTable::make(const Lanes& lanes, Route route) const {
  const CoalesceRule& rule = rules_[static_cast<std::size_t>(route)];
  Request request = coalesce(lanes, rule);
  if (rule.tags_per_pass > 0)
    request.passes = sectored_passes(request, lanes, rule, memory_);
  if (route == Route::constant)
    request.passes = request.counted = static_cast<float>(constant_passes(lanes));
  if (route == Route::atomic)
    request.passes = std::max(request.passes, request.same_address);
  return request;
}

const Request& RequestTable::add(const Lanes& lanes, Route route) {
  requests_.push_back(make(lanes, route));
  requests_.back().id = static_cast<std::uint32_t>(requests_.size() - 1);
  return requests_.back();
}

namespace {

/// Adds what further words of a wide private access touch.
void merge(Request& into, const Request& word) {
  into.passes += word.passes;
  into.counted += word.counted;
  into.sectors += word.sectors;
  into.bytes_asked += word.bytes_asked;
  into.blocks.insert(into.blocks.end(), word.blocks.begin(), word.blocks.end());
}

/// Adds the texels of another corner. A texture unit fetches a lane's four at once ("fetches four texture
/// samples per clock": NVIDIA's GF100 white paper; GPUOpen, "GCN Memory Coalescing"), so that the corner with
/// the most passes tells how many there are.
void unite(Request& into, const Request& corner) {
  into.passes = std::max(into.passes, corner.passes);
  into.uniform = into.uniform && corner.uniform;
  into.minimal = into.minimal && corner.minimal;
  for (const BlockAccess& block : corner.blocks) {
    const auto same = std::ranges::find_if(
        into.blocks, [&](const BlockAccess& known) { return known.block == block.block; });
    if (same == into.blocks.end())
      into.blocks.push_back(block);
    else
      same->sectors = static_cast<std::uint8_t>(same->sectors | block.sectors);
  }
  const float before = into.sectors;
  into.sectors = 0;
  for (const BlockAccess& block : into.blocks)
    into.sectors += static_cast<float>(std::popcount(static_cast<unsigned>(block.sectors)));
  into.sectors = std::max(into.sectors, before);
  into.counted *= into.sectors / std::max(before, 1.0F);
}

} // namespace

const Request& RequestTable::find(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                                  unsigned width_bytes, Route route, bool local, std::uint64_t align) {
  using Pattern = facts::MemoryEvent::Pattern;
  const bool irregular = event.pattern == Pattern::explicit_offsets;
  const bool rows = event.pattern == Pattern::affine2;
  if (event.pattern == Pattern::unknown)
    return make_new(event, offsets, width_bytes, route, local, align);
  const Key key{event.active,
                align,
                irregular ? 0 : event.stride,
                rows ? event.row_stride : 0,
                width_bytes,
                static_cast<std::uint8_t>(event.pattern),
                rows ? event.row_lanes : std::uint8_t{0},
                static_cast<std::uint8_t>(route),
                local,
                irregular ? offsets.data() + event.first_offset : nullptr};
  const std::uint64_t mixed =
      (event.active ^ static_cast<std::uint64_t>(event.stride) * 0x9E3779B97F4A7C15ULL) + event.site * 131ULL;
  Recent& recent = recent_[(mixed ^ mixed >> 32 ^ align) % recent_.size()];
  if (recent.request && recent.key == key)
    return *recent.request;
  if (irregular) { // most are met once
    recent = {key, &make_new(event, offsets, width_bytes, route, local, align)};
    return *recent.request;
  }
  auto [entry, first] = memo_.try_emplace(key, nullptr);
  if (first)
    entry->second = &make_new(event, offsets, width_bytes, route, local, align);
  recent = {key, entry->second};
  return *entry->second;
}

const Request& RequestTable::make_new(const facts::MemoryEvent& event,
                                      const std::vector<std::int64_t>& offsets, unsigned width_bytes,
                                      Route route, bool local, std::uint64_t align) {
  const Lanes lanes = expand(event, offsets, static_cast<std::int64_t>(align), width_bytes);
  if (!local) {
    add(lanes, route);
    facts::MemoryEvent place = event;
    for (unsigned k = 1; k < event.places && event.pattern != facts::MemoryEvent::Pattern::unknown; ++k) {
      place.first_offset += warp_width_;
      unite(requests_.back(),
            make(expand(place, offsets, static_cast<std::int64_t>(align), width_bytes), route));
    }
    return requests_.back();
  }
  return add_local(lanes, route);
}

const Request& RequestTable::add_local(const Lanes& lanes, Route route) {
  add(interleave_local(lanes, warp_width_, 0), route);
  for (unsigned word = 1; word < local_words(lanes.width_bytes); ++word)
    merge(requests_.back(), make(interleave_local(lanes, warp_width_, word), route));
  return requests_.back();
}

const Request& RequestTable::moved(const Request& own, const facts::MemoryEvent& event,
                                   const std::vector<std::int64_t>& offsets, Route route,
                                   std::uint64_t align) {
  Moved& slot = moved_[(own.id * 131ULL + align / 4) % moved_.size()];
  if (slot.own != &own || slot.align != align) {
    const auto active = static_cast<float>(std::popcount(event.active));
    const auto width_bytes = static_cast<unsigned>(own.bytes_asked / active);
    slot = {&own, &find(event, offsets, width_bytes, route, false, align), align};
  }
  return *slot.result;
}

bool is_cached(facts::MemorySpace space) {
  return space != facts::MemorySpace::shared && space != facts::MemorySpace::parameter;
}

Route route_of(const facts::MemoryEvent& event, const facts::MemorySite& site,
               const gpu::MemoryTiming& memory) {
  using facts::MemorySpace;
  if (event.space == MemorySpace::constant && memory.constant_l1.present)
    return Route::constant;
  if (site.kind == facts::AccessKind::store)
    return Route::store;
  if (site.kind == facts::AccessKind::atomic)
    return Route::atomic;
  // cp.async of 16 bytes is written .cg, past L1, by all that make it; of fewer .ca.
  constexpr std::uint32_t bypassing_bytes = 16;
  const bool is_copy = !site.returns_value;
  if (!memory.l1.present || (is_copy && site.width_bytes >= bypassing_bytes))
    return Route::l2;
  const bool cached = memory.l1_caches_global || event.space != MemorySpace::global ||
                      (site.read_only_path && memory.l1_caches_read_only);
  return cached ? Route::l1 : Route::l2;
}

const facts::MemoryRegion* region_of_site(const facts::KernelTrace& trace, const facts::MemorySite& site) {
  const facts::MemoryRegion* best = nullptr;
  for (const facts::MemoryRegion& region : trace.regions) {
    if (!site.buffer.empty() && region.name == site.buffer)
      return &region;
    if (region.space == facts::MemorySpace::global && (!best || region.size_bytes > best->size_bytes))
      best = &region;
  }
  return best;
}

Lanes scatter(const facts::MemoryEvent& event, std::uint64_t region_bytes, unsigned width_bytes,
              std::uint64_t seed) {
  Lanes lanes;
  lanes.active = event.active;
  lanes.width_bytes = std::max(1U, width_bytes);
  const std::uint64_t places = std::max<std::uint64_t>(1, region_bytes / lanes.width_bytes);
  for (unsigned lane = 0; lane < max_lanes; ++lane)
    lanes.address[lane] = static_cast<std::int64_t>(counter_random(seed, lane) % places * lanes.width_bytes);
  return lanes;
}

std::uint64_t local_area_blocks(const facts::KernelTrace& trace) {
  std::uint64_t bytes = 4;
  for (const facts::MemoryRegion& region : trace.regions)
    if (region.space == facts::MemorySpace::local)
      bytes = std::max(bytes, region.size_bytes);
  return std::clamp<std::uint64_t>((bytes * trace.warp_width + block_bytes - 1) / block_bytes, 1, 1ULL << 20);
}

namespace {

std::uint64_t private_bytes(const facts::KernelTrace& trace) {
  for (const facts::MemoryRegion& region : trace.regions)
    if (region.space == facts::MemorySpace::local)
      return region.size_bytes;
  return 4;
}

/// Offset inside the thread's private memory: the interpreter's address less its region's base.
std::uint64_t private_offset(const facts::KernelTrace& trace, std::uint64_t address) {
  for (const facts::MemoryRegion& region : trace.regions)
    if (region.space == facts::MemorySpace::local && address - region.base < region.size_bytes)
      return address - region.base;
  return address & 0xFFFFF;
}

} // namespace

SampleStream make_stream(const StreamSource& source, std::uint32_t sample, RequestTable& requests) {
  const facts::GroupTrace& group = source.trace.groups[sample];
  const std::uint64_t area = local_area_blocks(source.trace);
  SampleStream stream;
  stream.warps.resize(group.warps.size());
  for (std::size_t w = 0; w < group.warps.size(); ++w) {
    const facts::WarpTrace& warp = group.warps[w];
    const auto cached = std::count_if(warp.events.begin(), warp.events.end(),
                                      [](const facts::MemoryEvent& event) { return is_cached(event.space); });
    stream.warps[w].reserve(std::min(static_cast<std::uint64_t>(cached), source.max_events_per_warp));
    for (std::size_t e = 0; e < warp.events.size(); ++e) {
      const facts::MemoryEvent& event = warp.events[e];
      if (!is_cached(event.space) || event.site >= source.sites.size() || event.active == 0)
        continue;
      if (stream.warps[w].size() >= source.max_events_per_warp) {
        ++stream.dropped_events;
        continue;
      }
      const facts::MemorySite& site = source.sites[event.site];
      StreamEvent out;
      out.event = static_cast<std::uint32_t>(e);
      out.site = event.site;
      out.route = route_of(event, site, source.memory);
      out.local = event.space == facts::MemorySpace::local;
      const bool scattered = event.pattern == facts::MemoryEvent::Pattern::unknown;
      const std::uint64_t seed = counter_random(event.site + (static_cast<std::uint64_t>(w) << 32),
                                                e + (static_cast<std::uint64_t>(sample) << 32));
      out.unknown = scattered && !out.local; // a thread never leaves its own private memory
      if (out.local)
        out.base = (local_base_block + w * area) * block_bytes;
      if (out.unknown) {
        const facts::MemoryRegion* region = region_of_site(source.trace, site);
        out.base = region ? region->base / block_bytes * block_bytes : 0;
        out.request = &requests.add(
            scatter(event, region ? region->size_bytes : 1ULL << 28, site.width_bytes, seed), out.route);
      } else if (scattered) {
        out.request = &requests.add_local(scatter(event, private_bytes(source.trace), site.width_bytes, seed),
                                          out.route);
      } else if (out.local) {
        out.request = &requests.find(event, warp.offsets, width_of(event, site), out.route, true,
                                     private_offset(source.trace, event.base));
      } else {
        out.base = event.base;
        out.request = &requests.find(event, warp.offsets, width_of(event, site), out.route, false,
                                     event.base % block_bytes);
      }
      out.first_block = stream.block_count;
      stream.block_count += static_cast<std::uint32_t>(out.request->blocks.size());
      stream.warps[w].push_back(out);
    }
  }
  return stream;
}

} // namespace forewarp::memory
