// Distinct 32-byte sectors touched, by region and wave: the least traffic that the grid can cause.
#pragma once

#include "facts/trace.h"

#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Set of 128-byte blocks with the sectors read, written and seen in the first wave. Open addressing.
class Footprint {
public:
  /// Room for that many blocks, as far as that is cheap.
  explicit Footprint(std::size_t expected_blocks = 0);
  /// Marks sectors, in the order of the accesses; `wave` 0 or 1 (the second simulated wave).
  void touch(std::uint64_t block, std::uint8_t sectors, bool write, unsigned wave);

  struct Totals {
    double bytes = 0;         ///< distinct
    double read_bytes = 0;    ///< read before the grid wrote them; without private memory
    double written_bytes = 0; ///< without private memory
    double first_wave_bytes = 0;
  };
  /// Bytes of the whole grid: wave 0, plus for each of `further_waves` what wave 1 touched newly, bounded by
  /// the size of each region. `scale`: inverse share of the blocks that were touched() at all (set sampling).
  Totals totals(const std::vector<facts::MemoryRegion>& regions, double further_waves, double scale) const;

private:
  struct Entry {
    std::uint64_t block = UINT64_MAX;
    std::uint8_t read[2] = {0, 0}, written[2] = {0, 0};
  };
  void grow();
  Entry& entry(std::uint64_t block);

  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

} // namespace forewarp::memory
