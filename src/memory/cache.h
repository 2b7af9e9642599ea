// A set-associative, sectored cache of 128-byte-block accesses.
//
// Set index: low bits of the line number xored with a hash of the high bits, so that contiguous arrays fill
// all sets evenly and power-of-two pitches do not fall into one set (all GPUs since Fermi hash; the exact
// functions are secret). Set sampling: only lines of a pseudo-random 1/2^sample_shift of the sets are
// simulated; the others answer `skipped`. Not modelled: bytes inside a sector (a partial write makes the
// sector valid without a fill: byte masks), miss-status registers, write-back timing.
#pragma once

#include "gpu/machine.h"
#include "memory/replacement/replacement.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace forewarp::memory {

struct CacheResult {
  bool skipped = false;     ///< not in the sampled sets
  std::uint8_t seen = 0;    ///< asked sectors in sampled sets (lines may be shorter than a block)
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
  Cache(const gpu::CacheGeometry& geometry, std::string_view policy = "lru", unsigned sample_shift = 0);

  /// `block` is address / 128, `sectors` a mask of its four 32-byte sectors.
  CacheResult load(std::uint64_t block, std::uint8_t sectors);
  /// Write-back with allocation: sectors become valid and dirty, nothing is fetched.
  CacheResult store(std::uint64_t block, std::uint8_t sectors);
  /// Read-modify-write inside the cache: fetches what is missing, leaves it dirty.
  CacheResult atomic(std::uint64_t block, std::uint8_t sectors);
  /// A write that passes through evicts the line (L1 of Fermi and Kepler).
  void invalidate(std::uint64_t block);

  /// False where the block's set is not simulated: `load`, `store` and `atomic` would answer `skipped`.
  bool simulates(std::uint64_t block) const {
    if (sampled_.empty() || line_sectors_ < 4)
      return true;
    return sampled_[set_of(block >> blocks_per_line_bits_)] != UINT32_MAX;
  }

  std::uint64_t line_count() const { return sets_ * ways_; }
  std::uint64_t dirty_sectors() const;
  void clean(); ///< forgets dirtiness (contents stay)

private:
  enum class Use : std::uint8_t { load, store, atomic };
  struct Line {
    std::uint32_t valid = 0, dirty = 0; ///< bit per 32 bytes
  };
  CacheResult access(std::uint64_t block, std::uint8_t sectors, Use use);
  void access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, Use use, CacheResult& result);
  std::uint64_t set_of(std::uint64_t line) const {
    const std::uint64_t high = line >> hash_bits_;
    const std::uint64_t hash = hash_bits_ ? (high * 0x9E3779B97F4A7C15ULL) >> (64 - hash_bits_) : 0;
    const std::uint64_t mixed = line ^ hash;
    return set_mask_ ? mixed & set_mask_ : mixed % all_sets_;
  }
  std::uint32_t widen(std::uint32_t mask) const;

  unsigned line_sectors_ = 4, wide_sectors_ = 1, ways_ = 1;
  std::uint64_t sets_ = 0, all_sets_ = 0;
  std::uint64_t set_mask_ = 0; ///< all_sets_ - 1 where that is a power of two above one
  unsigned hash_bits_ = 0, blocks_per_line_bits_ = 0;
  std::vector<std::uint32_t> sampled_; ///< set -> simulated set, or UINT32_MAX; empty: all
  std::vector<std::uint64_t> tags_;    ///< apart from the lines: the search reads nothing else
  std::vector<Line> lines_;
  std::unique_ptr<Replacement> replacement_;
};

} // namespace forewarp::memory
