// DRAM row openings and half-used bursts of what L2 misses.
//
// A DRAM bank reads from the one row that is open. Opening another takes an activation, and a channel may
// start one only every `activation_ns` (JESD79-3F: tFAW, tRC, tRRD). A controller serves the requests that it
// holds row by row, so that of `outstanding_requests` bursts at a time each row is opened once. Where every
// thread walks a row of its own array, nearly every burst opens a row, and activations, not the bus, decide.
// A window of bursts takes the longer of the two. Not modelled: which bank a row lies in (rows are taken to
// be spread evenly), rows that stay open from one window to the next, refresh and turnarounds (they are in
// the achieved bandwidth, which activations are taken to reach the same part of), the gathering of
// write-backs. Pages: addresses are taken as contiguous.
#pragma once

#include "gpu/machine.h"

#include <cstdint>
#include <vector>

namespace forewarp::memory {

/// Of one site, whole run.
struct DramRowUse {
  double rows_opened = 0;
  double extra_bytes = 0; ///< that the bus could have moved at its streaming rate in the time lost
};

/// Rows opened by `bursts` bursts of which `seen` were looked at and found in `rows_seen` rows: bursts are
/// taken to be spread evenly over the rows, each looked at with equal chance.
double rows_of_all(double rows_seen, double seen, double bursts);

class DramRowCounter {
public:
  /// Of so many accesses one is given.
  DramRowCounter(const gpu::MemoryTiming& memory, double all_per_seen, std::size_t sites);

  /// Sectors of a 128-byte block that move between L2 and DRAM.
  void add(std::uint32_t site, std::uint64_t block, std::uint8_t sectors) {
    if (rows_.known)
      take(site, block, sectors);
  }
  /// Ends the window; what is counted from here on weighs `weight`.
  void weigh(double weight);
  /// Ends the last window.
  const std::vector<DramRowUse>& finish();

private:
  struct Moved {
    std::uint64_t block = 0;
    std::uint32_t site = 0;
    std::uint8_t sectors = 0;
  };
  void take(std::uint32_t site, std::uint64_t block, std::uint8_t sectors);
  void end_window();
  std::uint64_t row_of(std::uint64_t block) const;

  gpu::DramRows rows_;
  double activation_bytes_ = 0; ///< that all channels could move between two activations
  double all_per_seen_ = 1;
  double weight_ = 1;
  double window_ = 1; ///< bursts looked at
  double seen_ = 0;
  std::vector<Moved> moved_;        ///< blocks of the window
  std::vector<std::uint64_t> open_; ///< its rows; scratch
  std::vector<std::uint32_t> opener_;
  std::vector<DramRowUse> sites_;
};

} // namespace forewarp::memory
