// Distinct 32-byte sectors touched, by region and wave: the least traffic that the grid can cause.
#pragma once

#include "facts/trace.h"
#include "memory/waves/line_sampling.h"

#include <array>
#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Set of 128-byte blocks with the sectors read, written and seen in the first wave. Rows of neighbouring
/// blocks lie together, open addressing finds the rows.
class Footprint {
public:
  /// Room for that many blocks, as far as that is cheap. Blocks go by their numbers among the sampled ones.
  explicit Footprint(const LineSampling& sampling = {}, std::size_t expected_blocks = 0);
  /// Marks sectors, in the order of the accesses; `wave` 0 or 1 (the second simulated wave).
  void touch(std::uint64_t compact_block, std::uint8_t sectors, bool write, unsigned wave) {
    Marks& m = row(compact_block / row_blocks).marks[compact_block % row_blocks];
    if (write)
      m.written[wave] |= sectors;
    else // what the grid itself wrote before need not come from DRAM
      m.read[wave] |= static_cast<std::uint8_t>(sectors & ~(m.written[0] | m.written[1]));
  }

  struct Totals {
    double bytes = 0;         ///< distinct
    double read_bytes = 0;    ///< read before the grid wrote them; without private memory
    double written_bytes = 0; ///< without private memory
    double first_wave_bytes = 0;
  };
  /// Bytes of the whole grid: wave 0, plus for each of `further_waves` what wave 1 touched newly, bounded by
  /// the size of each region. What is sampled counts `scale` times.
  Totals totals(const std::vector<facts::MemoryRegion>& regions, double further_waves, double scale) const;

private:
  static constexpr std::uint64_t row_blocks = 8;
  struct Marks {
    std::uint8_t read[2] = {0, 0}, written[2] = {0, 0};
  };
  struct Row {
    std::uint64_t name = 0; ///< number + 1; 0: free
    std::array<Marks, row_blocks> marks{};
  };
  std::size_t slot_of(std::uint64_t name) const {
    std::size_t at = static_cast<std::size_t>((name * 0x9E3779B97F4A7C15ULL) >> 20) & (table_.size() - 1);
    while (table_[at].name != name && table_[at].name != 0)
      at = (at + 1) & (table_.size() - 1);
    return at;
  }
  Row& row(std::uint64_t number) {
    Row& found = table_[slot_of(number + 1)];
    return found.name != 0 ? found : add(number);
  }
  Row& add(std::uint64_t number);

  LineSampling sampling_;
  std::vector<Row> table_;
  std::size_t used_ = 0;
};

} // namespace forewarp::memory
