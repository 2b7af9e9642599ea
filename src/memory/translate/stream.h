// The part of a trace that meets caches: events with their coalesced requests, memoised by shape and
// alignment.
#pragma once

#include "facts/trace.h"
#include "gpu/machine.h"
#include "memory/coalesce/coalesce.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace forewarp::memory {

struct Translation;

struct StreamEvent {
  std::uint32_t event = 0; ///< index into WarpTrace::events
  std::uint32_t site = 0;
  std::uint32_t first_block = 0; ///< index of its first block among the sample's blocks
  Route route = Route::l2;
  bool local = false;                       ///< private memory: one area per resident warp
  bool unknown = false;                     ///< address not known: scattered by the stated policy
  const Request* request = nullptr;         ///< of the RequestTable
  const Translation* translation = nullptr; ///< how other groups move it (Translator::attach)
  std::uint64_t base = 0;                   ///< virtual address; local: inside the warp's area
  std::uint64_t lowest = 0; ///< of the active lanes' addresses, where the translation is not affine
};

struct SampleStream {
  std::vector<std::vector<StreamEvent>> warps;
  std::uint32_t block_count = 0;
  std::uint64_t dropped_events = 0; ///< beyond the budget; they take their site's mean
};

/// Coalesced requests by (shape, alignment). Of those with explicit offsets the last ones are kept, for their
/// own alignment.
class RequestTable {
public:
  /// `memory` outlives the table.
  explicit RequestTable(const gpu::MemoryTiming& memory, unsigned warp_width);
  RequestTable(gpu::MemoryTiming&&, unsigned) = delete;
  /// Request of the event with its base at `align` bytes into a block (local: at private offset `align`).
  const Request& find(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                      unsigned width_bytes, Route route, bool local, std::uint64_t align);
  /// The same shape as request `own`, at `align` bytes into a block.
  const Request& moved(const Request& own, const facts::MemoryEvent& event,
                       const std::vector<std::int64_t>& offsets, Route route, std::uint64_t align);
  const Request& add(const Lanes& lanes, Route route);
  /// Of private memory: addresses are offsets in each thread's own.
  const Request& add_local(const Lanes& lanes, Route route);

private:
  struct Key {
    std::uint64_t active, align;
    std::int64_t stride, row_stride;
    std::uint32_t width;
    std::uint8_t pattern, row_lanes, route, local;
    const std::int64_t* offsets =
        nullptr; ///< of an irregular pattern: iterations written to the trace share them
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  Request make(const Lanes& lanes, Route route) const;
  const Request& make_new(const facts::MemoryEvent& event, const std::vector<std::int64_t>& offsets,
                          unsigned width_bytes, Route route, bool local, std::uint64_t align);

  const gpu::MemoryTiming& memory_;
  std::vector<CoalesceRule> rules_; ///< by route
  unsigned warp_width_;
  struct Moved {
    const Request *own = nullptr, *result = nullptr;
    std::uint64_t align = 0;
  };
  struct Recent {
    Key key{};
    const Request* request = nullptr;
  };
  std::vector<Moved> moved_ = std::vector<Moved>(1024);    ///< direct-mapped, in front of memo_
  std::vector<Recent> recent_ = std::vector<Recent>(1024); ///< likewise
  std::deque<Request> requests_;                           ///< they stay where they are
  std::unordered_map<Key, const Request*, Hash> memo_;
};

/// Where the streams come from and what bounds them.
struct StreamSource {
  const facts::KernelTrace& trace;
  const std::vector<facts::MemorySite>& sites;
  const gpu::MemoryTiming& memory;
  std::uint64_t max_events_per_warp = UINT64_MAX;
};

Route route_of(const facts::MemoryEvent& event, const facts::MemorySite& site,
               const gpu::MemoryTiming& memory);
/// Meets a cache: everything but shared memory and parameters.
bool is_cached(facts::MemorySpace space);
/// Region that an access of unknown address goes to: the site's buffer when it has one, else the largest
/// global one.
const facts::MemoryRegion* region_of_site(const facts::KernelTrace& trace, const facts::MemorySite& site);
/// Unknown address: every active lane an address of its own in the region, drawn (the stated policy).
Lanes scatter(const facts::MemoryEvent& event, std::uint64_t region_bytes, unsigned width_bytes,
              std::uint64_t seed);

SampleStream make_stream(const StreamSource& source, std::uint32_t sample, RequestTable& requests);
/// Blocks of private memory that one warp's area takes.
std::uint64_t local_area_blocks(const facts::KernelTrace& trace);
inline constexpr std::uint64_t local_base_block = 1ULL << 48;

} // namespace forewarp::memory
