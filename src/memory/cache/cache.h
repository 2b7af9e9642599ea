// A set-associative, sectored cache of 128-byte-block accesses.
//
// Set index: low bits of the line number xored with a hash of the high bits, so that contiguous arrays fill
// all sets evenly and power-of-two pitches do not fall into one set (all GPUs since Fermi hash; the exact
// functions are secret). Not modelled: bytes inside a sector (a partial write makes the sector valid without
// a fill: byte masks), miss-status registers, write-back timing.
#pragma once

#include "gpu/machine.h"
#include "memory/cache/recency.h"
#include "memory/coalesce/sector_count.h"
#include "memory/replacement/replacement.h"
#include "support/modulo.h"

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace forewarp::memory {

struct CacheResult {
  std::uint8_t missing = 0; ///< asked sectors that were not there (mask)
  std::uint8_t fetched = 0; ///< sectors of the asked block fetched from below (mask)
  unsigned filled = 0;      ///< 32-byte sectors fetched from below: `missing` widened to the cache's sectors
  unsigned newly_dirty = 0; ///< sectors that went from clean or absent to dirty
  unsigned evicted_dirty = 0; ///< dirty sectors written back by this access
};

class Cache {
public:
  /// Geometry in bytes; line_bytes and sector_bytes are powers of two, at least 32. Size 0: everything
  /// misses. More than Recency::most_ways ways are taken as so many, and more sets.
  explicit Cache(const gpu::CacheGeometry& geometry, std::string_view policy = "lru");

  /// `block` is address / 128, `sectors` a mask of its four 32-byte sectors.
  CacheResult load(std::uint64_t block, std::uint8_t sectors) {
    return plain_ ? access_plain<Use::load>(block, sectors) : access<Use::load>(block, sectors);
  }
  /// The same, where only `fetched` is asked.
  std::uint8_t load_fetched(std::uint64_t block, std::uint8_t sectors) {
    if (line_sectors_ != 4 || sets_ == 0)
      return load(block, sectors).fetched;
    CacheResult unused;
    std::uint64_t& entry = (replacement_ ? line_by_policy(block, unused) : line_of(block, unused)).sectors;
    const auto missing = static_cast<std::uint8_t>(sectors & ~entry);
    if (missing == 0)
      return 0;
    const auto fetched = static_cast<std::uint8_t>(widen(missing) & ~entry);
    entry |= fetched;
    return fetched;
  }
  /// Write-back with allocation: sectors become valid and dirty, nothing is fetched.
  CacheResult store(std::uint64_t block, std::uint8_t sectors) {
    return plain_ ? access_plain<Use::store>(block, sectors) : access<Use::store>(block, sectors);
  }
  /// Read-modify-write inside the cache: fetches what is missing, leaves it dirty.
  CacheResult atomic(std::uint64_t block, std::uint8_t sectors) {
    return plain_ ? access_plain<Use::atomic>(block, sectors) : access<Use::atomic>(block, sectors);
  }
  /// A write that passes through evicts the line (L1 of Fermi and Kepler).
  void invalidate(std::uint64_t block);

private:
  enum class Use : std::uint8_t { load, store, atomic };
  struct Way {
    std::uint64_t tag;     ///< line number + 1; 0: empty
    std::uint64_t sectors; ///< valid in the low half, dirty in the high half
  };
  /// One set. What it holds lies together and is all zero while the set was never used.
  struct Set {
    std::uint8_t* bytes; ///< one a tag to search by
    Way* ways;
    Recency recency;
  };
  Set set(std::uint64_t index) const {
    std::uint8_t* const first = sets_begin_ + index * set_bytes_;
    std::uint8_t *const bytes = first + sizeof(std::uint64_t), *const ages = bytes + bytes_bytes_;
    return {bytes, reinterpret_cast<Way*>(ages + bytes_bytes_),
            Recency(*reinterpret_cast<RecencyHead*>(first), ages)};
  }
  template <Use use> CacheResult access(std::uint64_t block, std::uint8_t sectors);
  template <Use use>
  void access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, CacheResult& result);
  /// Lines of 128 bytes with sectors of 32, least recently used goes first.
  template <Use use> CacheResult access_plain(std::uint64_t block, std::uint8_t sectors) {
    CacheResult result;
    std::uint64_t& entry = line_of(block, result).sectors;
    result.missing = static_cast<std::uint8_t>(sectors & ~entry);
    if (use != Use::store) {
      result.fetched = result.missing;
      result.filled = sector_count(result.missing);
    }
    entry |= sectors;
    if (use != Use::load) {
      result.newly_dirty = sector_count(sectors & ~static_cast<std::uint32_t>(entry >> 32));
      entry |= static_cast<std::uint64_t>(sectors) << 32;
    }
    return result;
  }
  /// The line's way, which is made room for when absent; without a policy other than LRU.
  Way& line_of(std::uint64_t line, CacheResult& result) {
    Set s = set(set_of(line));
    unsigned way = find(s, line + 1);
    if (way < ways_) {
      s.recency.used(way);
      return s.ways[way];
    }
    way = s.recency.replace(ways_);
    return put(s, way, line, result);
  }
  static Way& put(Set& s, unsigned way, std::uint64_t line, CacheResult& result) {
    Way& out = s.ways[way];
    result.evicted_dirty += sector_count(static_cast<std::uint32_t>(out.sectors >> 32));
    out = {line + 1, 0};
    s.bytes[way] = byte_of(line + 1);
    return out;
  }
  /// Way that holds the line, or `ways_`.
  unsigned find(const Set& s, std::uint64_t tag) const {
    if (const unsigned newest = s.recency.newest(); s.ways[newest].tag == tag)
      return newest;
    const std::uint8_t wanted = byte_of(tag);
    for (unsigned first = 0; first < ways_; first += bytes_at_once)
      for (unsigned rest = equal_bytes(s.bytes + first, wanted); rest; rest &= rest - 1)
        if (const unsigned way = first + static_cast<unsigned>(std::countr_zero(rest));
            s.ways[way].tag == tag)
          return way;
    return ways_;
  }
  /// Never 0, so that an empty way's byte differs.
  static std::uint8_t byte_of(std::uint64_t tag) {
    return static_cast<std::uint8_t>((tag * 0x9E3779B97F4A7C15ULL) >> 56 | 1);
  }
  Way& line_by_policy(std::uint64_t line, CacheResult& result);
  std::uint64_t set_of(std::uint64_t line) const {
    const std::uint64_t high = line >> hash_bits_;
    const std::uint64_t hash = hash_bits_ ? (high * 0x9E3779B97F4A7C15ULL) >> (64 - hash_bits_) : 0;
    return set_modulo_(line ^ hash);
  }
  std::uint32_t widen(std::uint32_t mask) const;

  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  unsigned line_sectors_ = 4, wide_sectors_ = 1, ways_ = 1;
  unsigned set_bytes_ = 0, bytes_bytes_ = 0; ///< of a set, and of its search bytes or ages
  std::uint64_t sets_ = 0;
  bool plain_ = false; ///< lines of 128 bytes, sectors of 32, LRU
  Modulo set_modulo_;
  unsigned hash_bits_ = 0, blocks_per_line_bits_ = 0;
  std::unique_ptr<std::uint8_t[], Free> memory_; ///< from calloc: pages of sets never used cost nothing
  std::uint8_t* sets_begin_ = nullptr;           ///< in memory_, where a line of the host begins
  std::unique_ptr<Replacement> replacement_;     ///< null: LRU
};

} // namespace forewarp::memory
