#include "memory/coalesce/classify.h"

#include "support/counter_random.h"

#include <algorithm>

namespace forewarp::memory {

using facts::AccessClass;

AccessClass classify(const facts::MemoryEvent& event, const Request& request) {
  if (event.pattern == facts::MemoryEvent::Pattern::unknown)
    return AccessClass::unknown;
  if (request.uniform)
    return AccessClass::uniform;
  if (request.minimal)
    return AccessClass::coalesced;
  return event.pattern == facts::MemoryEvent::Pattern::explicit_offsets ? AccessClass::scattered
                                                                        : AccessClass::strided;
}

AccessClass classify(const BankPasses& passes) {
  if (passes.passes > passes.phases)
    return AccessClass::bank_conflict;
  return passes.one_address ? AccessClass::broadcast : AccessClass::conflict_free;
}

void SiteLook::add_cached(const facts::MemoryEvent& event, const Request& request, double weight) {
  weight_[static_cast<std::size_t>(classify(event, request))] += weight;
}

void SiteLook::add_shared(const BankPasses& passes, double weight) {
  weight_[static_cast<std::size_t>(classify(passes))] += weight;
}

AccessClass SiteLook::access() const {
  const auto most = std::max_element(weight_.begin(), weight_.end());
  return *most > 0 ? static_cast<AccessClass>(most - weight_.begin()) : AccessClass::unknown;
}

std::size_t PassTable::Hash::operator()(const Key& key) const {
  std::uint64_t h = counter_random(key.active, key.align);
  h = counter_random(h, static_cast<std::uint64_t>(key.stride));
  h = counter_random(h, static_cast<std::uint64_t>(key.row_stride));
  h = counter_random(h, key.width | static_cast<std::uint64_t>(key.pattern) << 32 |
                            static_cast<std::uint64_t>(key.row_lanes) << 40 |
                            static_cast<std::uint64_t>(key.atomic) << 48);
  return static_cast<std::size_t>(h);
}

BankPasses PassTable::find(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                           unsigned width_bytes, bool atomic, const gpu::MemoryTiming& memory) {
  using Pattern = facts::MemoryEvent::Pattern;
  const std::uint64_t row =
      static_cast<std::uint64_t>(std::max(1U, memory.shared_banks)) * std::max(1U, memory.shared_bank_bytes);
  const std::uint64_t align = row && !(row & (row - 1)) ? event.base & (row - 1) : event.base % row;
  if (event.pattern == Pattern::unknown) {
    // Unknown: each lane a random word, as for global memory.
    Lanes lanes;
    lanes.active = event.active;
    lanes.width_bytes = std::max(1U, width_bytes);
    for (unsigned lane = 0; lane < max_lanes; ++lane)
      lanes.address[lane] =
          static_cast<std::int64_t>(counter_random(event.site, lane) % 4096 * lanes.width_bytes);
    return bank_passes(lanes, memory, atomic);
  }
  const auto base = static_cast<std::int64_t>(align + (row << 32)); // far from zero: offsets may be negative
  const bool rows = event.pattern == Pattern::affine2;
  const bool irregular = event.pattern == Pattern::explicit_offsets;
  const Key key{event.active,
                align,
                irregular ? 0 : event.stride,
                rows ? event.row_stride : 0,
                width_bytes,
                static_cast<std::uint8_t>(event.pattern),
                rows ? event.row_lanes : std::uint8_t{0},
                atomic,
                0,
                irregular ? offsets.data() + event.first_offset : nullptr};
  auto& [recent_key, recent_passes] =
      recent_[(event.site * 37ULL + align / 4 + event.active) % recent_.size()];
  if (recent_key == key)
    return recent_passes;
  if (irregular) { // most are met once
    recent_key = key;
    return recent_passes = bank_passes(expand(event, offsets, base, width_bytes), memory, atomic);
  }
  auto [entry, first] = memo_.try_emplace(key);
  if (first)
    entry->second = bank_passes(expand(event, offsets, base, width_bytes), memory, atomic);
  recent_key = key;
  recent_passes = entry->second;
  return entry->second;
}

} // namespace forewarp::memory
