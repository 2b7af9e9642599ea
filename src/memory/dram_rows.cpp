#include "memory/dram_rows.h"

#include "memory/coalesce.h"
#include "memory/lanes.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace forewarp::memory {
namespace {

/// Consecutive bytes of one channel; secret, but rows are much longer.
constexpr std::uint64_t channel_interleave_bytes = 256;

unsigned bursts_of(std::uint8_t sectors, unsigned burst_bytes) {
  const unsigned sectors_each = std::clamp(burst_bytes / 32U, 1U, 4U);
  if (sectors_each == 1)
    return static_cast<unsigned>(std::popcount(sectors));
  if (sectors_each == 4)
    return sectors != 0 ? 1 : 0;
  return ((sectors & 3U) != 0 ? 1U : 0U) + ((sectors & 12U) != 0 ? 1U : 0U);
}

} // namespace

double rows_of_all(double rows_seen, double seen, double bursts) {
  if (rows_seen <= 0 || seen <= 0)
    return 0;
  if (seen >= bursts)
    return rows_seen;
  const double share = seen / bursts;
  // A row of m bursts is seen with 1 - (1 - share)^m: more rows, more of them seen.
  const auto expected = [&](double rows) {
    return rows * (1 - std::pow(1 - share, std::max(1.0, bursts / rows)));
  };
  double low = rows_seen, high = bursts;
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
  activation_bytes_ = rows_.activation_ns * memory.dram_peak_gbps / rows_.channels;
  window_ = std::max(1.0, rows_.outstanding_requests * rows_.channels / all_per_seen_);
}

std::uint64_t DramRowCounter::row_of(std::uint64_t block) const {
  const std::uint64_t address = block * block_bytes;
  const std::uint64_t channel = address / channel_interleave_bytes % rows_.channels;
  return address / (static_cast<std::uint64_t>(rows_.row_bytes) * rows_.channels) * rows_.channels + channel;
}

void DramRowCounter::take(std::uint32_t site, std::uint64_t block, std::uint8_t sectors) {
  // Sectors of one burst that are asked for one after the other come with it.
  const auto known = std::find_if(moved_.rbegin(), moved_.rend(),
                                  [block](const Moved& moved) { return moved.block == block; });
  if (known != moved_.rend()) {
    seen_ -= bursts_of(known->sectors, rows_.burst_bytes);
    known->sectors |= sectors;
    seen_ += bursts_of(known->sectors, rows_.burst_bytes);
    return;
  }
  seen_ += bursts_of(sectors, rows_.burst_bytes);
  moved_.push_back({block, site, sectors});
  if (seen_ >= window_)
    end_window();
}

void DramRowCounter::end_window() {
  for (const Moved& moved : moved_) {
    const std::uint64_t row = row_of(moved.block);
    if (std::find(open_.rbegin(), open_.rend(), row) == open_.rend()) {
      open_.push_back(row);
      opener_.push_back(moved.site);
    }
    const double used = static_cast<double>(std::popcount(moved.sectors)) * sector_bytes;
    sites_[moved.site].extra_bytes +=
        weight_ * all_per_seen_ * (bursts_of(moved.sectors, rows_.burst_bytes) * rows_.burst_bytes - used);
  }
  const double bursts = seen_ * all_per_seen_;
  const double rows = rows_of_all(static_cast<double>(open_.size()), seen_, bursts);
  const double lost = std::max(0.0, rows * activation_bytes_ - bursts * rows_.burst_bytes);
  for (const std::uint32_t site : opener_) {
    sites_[site].rows_opened += weight_ * rows / static_cast<double>(open_.size());
    sites_[site].extra_bytes += weight_ * lost / static_cast<double>(open_.size());
  }
  seen_ = 0;
  moved_.clear();
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
