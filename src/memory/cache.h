// A set-associative, sectored cache of 128-byte-block accesses.
//
// Set index: low bits of the line number xored with a hash of the high bits, so that contiguous arrays fill
// all sets evenly and power-of-two pitches do not fall into one set (all GPUs since Fermi hash; the exact
// functions are secret). Not modelled: bytes inside a sector (a partial write makes the sector valid without
// a fill: byte masks), miss-status registers, write-back timing.
#pragma once

#include "gpu/machine.h"
#include "memory/recency.h"
#include "memory/replacement/replacement.h"
#include "support/modulo.h"

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
  /// misses.
  explicit Cache(const gpu::CacheGeometry& geometry, std::string_view policy = "lru");

  /// `block` is address / 128, `sectors` a mask of its four 32-byte sectors.
  CacheResult load(std::uint64_t block, std::uint8_t sectors);
  /// The same, where only `fetched` is asked.
  std::uint8_t load_fetched(std::uint64_t block, std::uint8_t sectors) {
    if (!plain_)
      return load(block, sectors).fetched;
    const std::uint64_t index = set_of(block);
    Set s = set(index);
    CacheResult unused;
    std::uint64_t& entry = s.sectors[find_or_replace(s, index, block, unused)];
    const auto fetched = static_cast<std::uint8_t>(sectors & ~entry);
    entry |= fetched;
    return fetched;
  }
  /// Write-back with allocation: sectors become valid and dirty, nothing is fetched.
  CacheResult store(std::uint64_t block, std::uint8_t sectors);
  /// Read-modify-write inside the cache: fetches what is missing, leaves it dirty.
  CacheResult atomic(std::uint64_t block, std::uint8_t sectors);
  /// A write that passes through evicts the line (L1 of Fermi and Kepler).
  void invalidate(std::uint64_t block);

  std::uint64_t line_count() const { return sets_ * ways_; }

private:
  enum class Use : std::uint8_t { load, store, atomic };
  /// One set. What it holds lies together and is all zero while the set was never used: tags (line number +
  /// 1; 0: empty), sectors (valid in the low half, dirty in the high half), one byte a tag to search by, the
  /// order of uses.
  struct Set {
    std::uint64_t *tags, *sectors;
    std::uint8_t* bytes;
    Recency recency;
  };
  Set set(std::uint64_t index) const {
    std::uint64_t* const first = words_.get() + index * stride_;
    std::uint64_t *const bytes = first + 1, *const older = bytes + byte_words_,
                         *const newer = older + link_words_, *const tags = newer + link_words_;
    return {tags, tags + ways_, reinterpret_cast<std::uint8_t*>(bytes),
            Recency(*reinterpret_cast<RecencyEnds*>(first), reinterpret_cast<std::uint16_t*>(older),
                    reinterpret_cast<std::uint16_t*>(newer))};
  }
  template <Use use> CacheResult access(std::uint64_t block, std::uint8_t sectors);
  template <Use use>
  void access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, CacheResult& result);
  /// Way that holds the line, or `ways_`.
  unsigned find(const Set& s, std::uint64_t tag) const;
  /// Way of the line, which is made room for when absent.
  unsigned find_or_replace(Set& s, std::uint64_t index, std::uint64_t line, CacheResult& result);
  unsigned way_by_policy(const Set& s, std::uint64_t index);
  std::uint64_t set_of(std::uint64_t line) const {
    const std::uint64_t high = line >> hash_bits_;
    const std::uint64_t hash = hash_bits_ ? (high * 0x9E3779B97F4A7C15ULL) >> (64 - hash_bits_) : 0;
    return set_modulo_(line ^ hash);
  }
  std::uint32_t widen(std::uint32_t mask) const;

  struct Free {
    void operator()(std::uint64_t* words) const { std::free(words); }
  };
  unsigned line_sectors_ = 4, wide_sectors_ = 1, ways_ = 1;
  unsigned stride_ = 0, byte_words_ = 0, link_words_ = 0; ///< words of a set and of its parts
  std::uint64_t sets_ = 0;
  bool plain_ = false; ///< lines of 128 bytes, sectors of 32
  Modulo set_modulo_;
  unsigned hash_bits_ = 0, blocks_per_line_bits_ = 0;
  std::unique_ptr<std::uint64_t[], Free> words_; ///< from calloc: pages of sets never used cost nothing
  std::unique_ptr<Replacement> replacement_;     ///< null: LRU
};

} // namespace forewarp::memory
