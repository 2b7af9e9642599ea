// How many pieces of DRAM rows one request of a warp asks for together.
#pragma once

#include "memory/coalesce/sector_count.h"
#include "memory/dram/dram_rows.h"
#include "memory/translate/stage_input.h"

#include <algorithm>
#include <vector>

namespace forewarp::memory {

/// Pieces (dram_rows.h) that warps ask for in a turn, all of a request's, and their rows: of a sample of the
/// pieces it cannot be told how many share a row. Where groups drift, a request's pieces count as together
/// within the part of it that an SM has on its way at a time.
class PieceLook {
public:
  void add(const DramRowCounter& rows, const StageInput& in, Route route, const PlacedRequest& placed,
           double weight) {
    constexpr std::uint64_t piece_blocks = channel_interleave_bytes / block_bytes;
    const double most = rows.own_sectors();
    double sectors = 0;
    for (const BlockAccess& access : placed.request->blocks) {
      if (const std::uint64_t piece = static_cast<std::uint64_t>(placed.block + access.block) / piece_blocks;
          numbers_.empty() || numbers_.back() != piece)
        numbers_.push_back(piece);
      sectors += sector_count(widened(in, route, static_cast<std::uint8_t>(access.sectors)));
      if (most > 0 && sectors >= most) {
        count(rows, weight);
        sectors = 0;
      }
    }
    count(rows, weight);
  }
  /// Of the turn that ends.
  double pieces_a_row() {
    const double mean = rows_ > 0 ? pieces_ / rows_ : 1;
    pieces_ = rows_ = 0;
    return mean;
  }

private:
  void count(const DramRowCounter& rows, double weight) {
    pieces_ += weight * distinct();
    for (std::uint64_t& number : numbers_)
      number = rows.row_of(number * (channel_interleave_bytes / block_bytes));
    rows_ += weight * distinct();
    numbers_.clear();
  }
  double distinct() {
    if (!std::is_sorted(numbers_.begin(), numbers_.end())) // lanes mostly are in order
      std::sort(numbers_.begin(), numbers_.end());
    numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
    return static_cast<double>(numbers_.size());
  }

  std::vector<std::uint64_t> numbers_;
  double pieces_ = 0, rows_ = 0;
};

} // namespace forewarp::memory
