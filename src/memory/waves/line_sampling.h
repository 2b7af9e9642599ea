// A share of the lines of a long stream stands for all of them: spatial sampling (set sampling: Kessler,
// Hill, Wood, IEEE TC 1994; by line address: Waldspurger et al., FAST 2015). A line is in the sample when its
// number leaves a given remainder by a prime. The sampled accesses of a row of lines are then found without
// walking the others, no power-of-two pitch falls on one remainder, and a cache with that share of the sets
// meets the sample as the whole cache meets the stream.
#pragma once

#include "gpu/machine.h"
#include "support/modulo.h"

#include <vector>

#include <cstdint>

namespace forewarp::memory {

class LineSampling {
public:
  /// All lines.
  LineSampling() = default;
  /// About one line in `wanted`, at most so many that 32 sets of the cache are left. A prime that divides one
  /// of the `pitches_bytes` is not taken, if need be a smaller one, a larger one, or all lines: all rows of
  /// that pitch would fall on one remainder. Neighbours of `together_bytes` (a power of two) are all in the
  /// sample, or none.
  LineSampling(const gpu::CacheGeometry& geometry, std::uint64_t wanted,
               const std::vector<std::uint64_t>& pitches_bytes = {}, unsigned together_bytes = 128);

  std::uint64_t one_in() const { return one_in_; }
  bool whole() const { return one_in_ == 1; }
  /// A cache with the sample's share of its sets (rounded; off by less than 2 %): the sampling's own, or one
  /// behind it.
  gpu::CacheGeometry share_of(gpu::CacheGeometry geometry) const;

  /// Blocks repeat with this period: `sampled_residues` neighbours of `period` 128-byte blocks are sampled.
  std::uint64_t period() const { return period_.divisor(); }
  std::uint64_t sampled_residues() const { return std::uint64_t{1} << blocks_together_bits_; }
  /// Place of a block in the period, 0 for the first sampled one.
  std::uint64_t residue(std::uint64_t block) const { return period_(block); }
  bool contains(std::uint64_t block) const { return period_(block) < sampled_residues(); }
  /// Number of a sampled block among the sampled ones.
  std::uint64_t compact(std::uint64_t block) const {
    const std::uint64_t inside = block & (sampled_residues() - 1);
    return period_.quotient(block) << blocks_together_bits_ | inside;
  }
  /// The block that has this number among the sampled ones.
  std::uint64_t block_of(std::uint64_t compact) const {
    const std::uint64_t inside = compact & (sampled_residues() - 1);
    return (compact >> blocks_together_bits_) * period() + inside;
  }

private:
  std::uint64_t one_in_ = 1;
  unsigned blocks_together_bits_ = 0;
  Modulo period_;
};

} // namespace forewarp::memory
