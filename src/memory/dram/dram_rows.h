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
//
// Where groups drift (AMD), all SMs' requests mix in a window: what neighbouring groups ask of one row comes
// at other times, and each opens it anew. Only what an SM's own part of the window holds of one request
// shares.
#pragma once

#include "gpu/machine.h"
#include "memory/coalesce/coalesce.h"
#include "support/modulo.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace forewarp::memory {

/// Consecutive bytes of one channel; secret, but rows are much longer.
inline constexpr unsigned channel_interleave_bytes = 256;

/// Of one site, whole run.
struct DramRowUse {
  double rows_opened = 0;
  double extra_bytes = 0; ///< that the bus could have moved at its streaming rate in the time lost
};

/// Rows opened by `pieces` (of a channel's consecutive bytes) of which `seen` were looked at and found in
/// `rows_seen` rows: pieces are taken to be spread evenly over the rows, each looked at with equal chance.
double rows_of_all(double rows_seen, double seen, double pieces);

class DramRowCounter {
public:
  /// Of so many pieces of a channel's consecutive bytes one is given, whole.
  DramRowCounter(const gpu::MemoryTiming& memory, double all_per_seen, std::size_t sites);

  bool known() const { return rows_.known; }
  /// Sectors that one request can ask for within an SM's part of the window; 0: groups in step.
  double own_sectors() const { return rows_.sm_bursts * rows_.burst_bytes / sector_bytes; }
  /// Sectors of a 128-byte block that move between L2 and DRAM for a work-group.
  void add(std::uint32_t site, std::uint64_t block, std::uint8_t sectors, std::uint64_t group = 0) {
    if (rows_.known)
      take({block, rows_.sm_bursts > 0 ? group : 0, site, sectors, pieces_a_row_});
  }
  /// What is added from here on has at least so many pieces a row, seen on whole requests of warps.
  void pieces_a_row(double pieces) { pieces_a_row_ = pieces; }
  /// Number of the row that holds a block.
  std::uint64_t row_of(std::uint64_t block) const;
  /// Ends the window; what is counted from here on weighs `weight`.
  void weigh(double weight);
  /// Beside what was added: rows opened, and bytes that the bus could have moved.
  void add_use(std::uint32_t site, const DramRowUse& use) {
    sites_[site].rows_opened += use.rows_opened;
    sites_[site].extra_bytes += use.extra_bytes;
  }
  /// Ends the last window.
  const std::vector<DramRowUse>& finish();

private:
  struct Moved {
    std::uint64_t block = 0;
    std::uint64_t group = 0; ///< 0 where groups are in step
    std::uint32_t site = 0;
    std::uint8_t sectors = 0;
    double pieces_a_row = 1;
  };
  struct Piece {
    std::uint64_t number = 0, group = 0;
    double of_its_row = 1;
  };
  void take(const Moved& moved);
  void end_window();
  /// Of all pieces, where so many distinct ones were looked at in so many rows. Most windows are alike.
  double all_rows(std::size_t open, std::size_t pieces);

  gpu::DramRows rows_;
  Modulo channels_, runs_a_row_;
  double activation_bytes_ = 0; ///< that all channels could move between two activations
  double all_per_seen_ = 1;
  double weight_ = 1;
  double pieces_a_row_ = 1;
  double window_ = 1; ///< bursts looked at
  double seen_ = 0;
  std::vector<Moved> moved_;        ///< blocks of the window
  std::vector<Piece> pieces_;       ///< distinct; scratch
  std::vector<std::uint64_t> open_; ///< its rows; scratch
  std::vector<std::uint32_t> opener_;
  std::vector<DramRowUse> sites_;
  struct Known {
    std::size_t open = 0, pieces = 0;
    double rows = 0;
  };
  std::array<Known, 64> known_{}; ///< answers of all_rows
};

} // namespace forewarp::memory
