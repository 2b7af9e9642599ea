#include "memory/dram/dram_rows.h"

#include "memory/coalesce/coalesce.h"
#include "memory/coalesce/lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace forewarp::memory {
namespace {

unsigned bursts_of(std::uint8_t sectors, unsigned burst_bytes) {
  const unsigned sectors_each = std::clamp(burst_bytes / 32U, 1U, 4U);
  if (sectors_each == 1)
    return static_cast<unsigned>(std::popcount(sectors));
  if (sectors_each == 4)
    return sectors != 0 ? 1 : 0;
  return ((sectors & 3U) != 0 ? 1U : 0U) + ((sectors & 12U) != 0 ? 1U : 0U);
}

} // namespace

double rows_of_all(double rows_seen, double seen, double pieces) {
  if (rows_seen <= 0 || seen <= 0)
    return 0;
  if (seen >= pieces)
    return rows_seen;
  const double share = seen / pieces;
  // A row of m pieces is seen with 1 - (1 - share)^m: more rows, more of them seen.
  const auto expected = [&](double rows) {
    return rows * (1 - std::pow(1 - share, std::max(1.0, pieces / rows)));
  };
  double low = rows_seen, high = pieces;
  for (int step = 0; step < 24 && high - low > 1e-3; ++step) {
    const double middle = (low + high) / 2;
    (expected(middle) < rows_seen ? low : high) = middle;
  }
  return (low + high) / 2;
}

DramRowCounter::DramRowCounter(const gpu::MemoryTiming& memory, double all_per_seen, std::size_t sites)
    : rows_(memory.dram_rows), all_per_seen_(all_per_seen), sites_(sites) {
  if (!rows_.known)
    return;
  channels_ = Modulo(std::max(1U, rows_.channels));
  runs_a_row_ = Modulo(std::max(1U, rows_.row_bytes / channel_interleave_bytes));
  activation_bytes_ = rows_.activation_ns * memory.dram_peak_gbps / rows_.channels;
  window_ = std::max(1.0, rows_.outstanding_requests * rows_.channels / all_per_seen_);
}

std::uint64_t DramRowCounter::row_of(std::uint64_t block) const {
  const std::uint64_t piece = block * block_bytes / channel_interleave_bytes;
  // Each run of as many pieces as there are channels takes all of them, rotated by a hash of its number.
  const std::uint64_t run = channels_.quotient(piece);
  const std::uint64_t channel = channels_(piece + (run * 0x9E3779B97F4A7C15ULL >> 32));
  return runs_a_row_.quotient(run) * channels_.divisor() + channel;
}

void DramRowCounter::take(const Moved& moved) {
  // Sectors of one burst that are asked for one after the other come with it.
  const auto known = std::find_if(moved_.rbegin(), moved_.rend(), [&moved](const Moved& before) {
    return before.block == moved.block && before.group == moved.group;
  });
  if (known != moved_.rend()) {
    seen_ -= bursts_of(known->sectors, rows_.burst_bytes);
    known->sectors |= moved.sectors;
    seen_ += bursts_of(known->sectors, rows_.burst_bytes);
    return;
  }
  seen_ += bursts_of(moved.sectors, rows_.burst_bytes);
  moved_.push_back(moved);
  if (seen_ >= window_)
    end_window();
}

double DramRowCounter::all_rows(std::size_t open, std::size_t pieces) {
  Known& known = known_[(open * 31 + pieces) % known_.size()];
  if (known.open != open || known.pieces != pieces) {
    const auto seen = static_cast<double>(pieces);
    known = {open, pieces, rows_of_all(static_cast<double>(open), seen, seen * all_per_seen_)};
  }
  return known.rows;
}

void DramRowCounter::end_window() {
  for (const Moved& moved : moved_) {
    const std::uint64_t row = row_of(moved.block);
    pieces_.push_back(
        {moved.block / (channel_interleave_bytes / block_bytes), moved.group, moved.pieces_a_row});
    if (std::find(open_.rbegin(), open_.rend(), row) == open_.rend()) {
      open_.push_back(row);
      opener_.push_back(moved.site);
    }
    const double used = static_cast<double>(std::popcount(moved.sectors)) * sector_bytes;
    sites_[moved.site].extra_bytes +=
        weight_ * all_per_seen_ * (bursts_of(moved.sectors, rows_.burst_bytes) * rows_.burst_bytes - used);
  }
  const double bursts = seen_ * all_per_seen_;
  const auto place = [](const Piece& piece) { return std::pair(piece.group, piece.number); };
  std::ranges::sort(pieces_, {}, [](const Piece& p) { return std::tuple(p.group, p.number, p.of_its_row); });
  pieces_.erase(std::ranges::unique(pieces_, {}, place).begin(), pieces_.end());
  const auto open = static_cast<double>(open_.size());
  double most_rows = 0;
  for (const Piece& piece : pieces_)
    most_rows += all_per_seen_ / piece.of_its_row;
  const double rows = rows_.sm_bursts > 0
                          ? most_rows
                          : std::max(open, std::min(most_rows, all_rows(open_.size(), pieces_.size())));
  const double lost = std::max(0.0, rows * activation_bytes_ - bursts * rows_.burst_bytes);
  for (const std::uint32_t site : opener_) {
    sites_[site].rows_opened += weight_ * rows / open;
    sites_[site].extra_bytes += weight_ * lost / open;
  }
  seen_ = 0;
  moved_.clear();
  pieces_.clear();
  open_.clear();
  opener_.clear();
}

void DramRowCounter::weigh(double weight) {
  end_window();
  weight_ = weight;
}

const std::vector<DramRowUse>& DramRowCounter::finish() {
  end_window();
  return sites_;
}

} // namespace forewarp::memory
