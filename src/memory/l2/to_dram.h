// What the groups in step move between L2 and DRAM in one turn, on its way to the DRAM's rows.
#pragma once

#include "memory/dram/dram_rows.h"
#include "memory/l2/piece_look.h"

#include <cstdint>
#include <vector>

namespace forewarp::memory {

class ToDram {
public:
  void add(std::uint64_t group, std::uint64_t block, std::uint32_t site, std::uint8_t sectors) {
    moved_.push_back({group, block, site, sectors});
  }
  bool empty() const { return moved_.empty(); }
  /// Group by group: warps of one group follow each other closely. Empty afterwards.
  void send(DramRowCounter& rows);
  /// What a turn asked of the rows, where only a share of the lines is simulated.
  PieceLook look;

private:
  struct Moved {
    std::uint64_t group = 0, block = 0;
    std::uint32_t site = 0;
    std::uint8_t sectors = 0;
  };
  std::vector<Moved> moved_; ///< of this turn
};

} // namespace forewarp::memory
