#include "memory/cache.h"

#include "support/counter_random.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {

Cache::Cache(const gpu::CacheGeometry& geometry, std::string_view policy, unsigned sample_shift) {
  const unsigned line_bytes = std::clamp(std::bit_floor(std::max(1U, geometry.line_bytes)), 32U, 1024U);
  line_sectors_ = line_bytes / 32;
  wide_sectors_ = std::clamp(std::bit_floor(std::max(1U, geometry.sector_bytes)), 32U, line_bytes) / 32;
  const std::uint64_t lines = geometry.size_bytes / line_bytes;
  ways_ =
      static_cast<unsigned>(std::clamp<std::uint64_t>(geometry.ways, 1, std::max<std::uint64_t>(1, lines)));
  all_sets_ = lines / ways_;
  sets_ = all_sets_;
  if (all_sets_ == 0)
    return;
  hash_bits_ = static_cast<unsigned>(std::bit_width(all_sets_)) - 1;
  set_mask_ = std::has_single_bit(all_sets_) ? all_sets_ - 1 : 0;
  blocks_per_line_bits_ = line_sectors_ >= 4 ? static_cast<unsigned>(std::countr_zero(line_sectors_ / 4)) : 0;
  while (sample_shift && (all_sets_ >> sample_shift) == 0)
    --sample_shift;
  if (sample_shift) {
    // One set of each run of 2^shift, drawn: exactly the wanted share, no regular pattern.
    sampled_.assign(all_sets_, UINT32_MAX);
    sets_ = 0;
    for (std::uint64_t run = 0; (run + 1) << sample_shift <= all_sets_; ++run)
      sampled_[(run << sample_shift) + (counter_random(77, run) & ((1ULL << sample_shift) - 1))] =
          static_cast<std::uint32_t>(sets_++);
  }
  lines_.resize(sets_ * ways_);
  tags_.assign(sets_ * ways_, UINT64_MAX);
  replacement_ = make_replacement(policy, sets_, ways_);
  if (!replacement_)
    replacement_ = make_lru(sets_, ways_);
}

std::uint32_t Cache::widen(std::uint32_t mask) const {
  if (wide_sectors_ == 1)
    return mask;
  std::uint32_t out = 0;
  const std::uint32_t group = wide_sectors_ >= 32 ? ~0U : (1U << wide_sectors_) - 1;
  for (unsigned s = 0; s < line_sectors_; s += wide_sectors_)
    if (mask & (group << s))
      out |= group << s;
  return out;
}

void Cache::access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, Use use,
                        CacheResult& result) {
  std::uint64_t set = set_of(line);
  if (!sampled_.empty()) {
    if (sampled_[set] == UINT32_MAX) {
      result.skipped = true;
      return;
    }
    set = sampled_[set];
  }
  std::uint64_t* const tags = &tags_[set * ways_];
  Line* const first = &lines_[set * ways_];
  unsigned way = 0;
  while (way < ways_ && tags[way] != line)
    ++way;
  if (way == ways_) {
    for (way = 0; way < ways_ && tags[way] != UINT64_MAX;)
      ++way;
    if (way == ways_)
      way = replacement_->victim(set);
    result.evicted_dirty += static_cast<unsigned>(std::popcount(first[way].dirty));
    first[way] = {};
    tags[way] = line;
    replacement_->inserted(set, way);
  } else {
    replacement_->touched(set, way);
  }
  Line& entry = first[way];
  const std::uint32_t missing = mask & ~entry.valid;
  if (use != Use::store && missing) {
    const std::uint32_t fetched = widen(missing) & ~entry.valid;
    result.filled += static_cast<unsigned>(std::popcount(fetched));
    entry.valid |= fetched;
    result.fetched |= static_cast<std::uint8_t>(fetched >> shift & 15);
  }
  result.missing |= static_cast<std::uint8_t>(shift < 32 ? missing >> shift : 0);
  if (use != Use::load) {
    result.newly_dirty += static_cast<unsigned>(std::popcount(mask & ~entry.dirty));
    entry.valid |= mask;
    entry.dirty |= mask;
  }
}

CacheResult Cache::access(std::uint64_t block, std::uint8_t sectors, Use use) {
  CacheResult result;
  if (sets_ == 0) {
    result.seen = result.missing = sectors;
    result.fetched = use == Use::store ? 0 : sectors;
    result.filled = use == Use::store ? 0 : static_cast<unsigned>(std::popcount(sectors));
    result.newly_dirty = use == Use::load ? 0 : static_cast<unsigned>(std::popcount(sectors));
    return result;
  }
  if (line_sectors_ >= 4) {
    const unsigned shift = static_cast<unsigned>(block & ((1U << blocks_per_line_bits_) - 1)) * 4;
    access_line(block >> blocks_per_line_bits_, static_cast<std::uint32_t>(sectors) << shift, shift, use,
                result);
    result.seen = result.skipped ? 0 : sectors;
    return result;
  }
  const unsigned parts = 4 / line_sectors_;
  unsigned skipped = 0, used = 0;
  for (unsigned part = 0; part < parts; ++part) {
    const std::uint32_t mask =
        (static_cast<std::uint32_t>(sectors) >> (part * line_sectors_)) & ((1U << line_sectors_) - 1);
    if (!mask)
      continue;
    CacheResult one;
    access_line(block * parts + part, mask, 0, use, one);
    ++used;
    skipped += one.skipped;
    if (!one.skipped)
      result.seen |= static_cast<std::uint8_t>(mask << (part * line_sectors_));
    result.missing |= static_cast<std::uint8_t>(one.missing << (part * line_sectors_));
    result.fetched |= static_cast<std::uint8_t>(one.fetched << (part * line_sectors_));
    result.filled += one.filled;
    result.newly_dirty += one.newly_dirty;
    result.evicted_dirty += one.evicted_dirty;
  }
  result.skipped = used && skipped == used;
  return result;
}

CacheResult Cache::load(std::uint64_t block, std::uint8_t sectors) {
  return access(block, sectors, Use::load);
}
CacheResult Cache::store(std::uint64_t block, std::uint8_t sectors) {
  return access(block, sectors, Use::store);
}
CacheResult Cache::atomic(std::uint64_t block, std::uint8_t sectors) {
  return access(block, sectors, Use::atomic);
}

void Cache::invalidate(std::uint64_t block) {
  if (sets_ == 0 || !sampled_.empty())
    return;
  const std::uint64_t lines_per_block = line_sectors_ >= 4 ? 1 : 4 / line_sectors_;
  for (std::uint64_t part = 0; part < lines_per_block; ++part) {
    const std::uint64_t line =
        line_sectors_ >= 4 ? block / (line_sectors_ / 4) : block * lines_per_block + part;
    const std::uint64_t first = set_of(line) * ways_;
    for (std::uint64_t at = first; at < first + ways_; ++at)
      if (tags_[at] == line) {
        tags_[at] = UINT64_MAX;
        lines_[at] = {};
      }
  }
}

std::uint64_t Cache::dirty_sectors() const {
  std::uint64_t sum = 0;
  for (const Line& line : lines_)
    sum += static_cast<unsigned>(std::popcount(line.dirty));
  return sum;
}

void Cache::clean() {
  for (Line& line : lines_)
    line.dirty = 0;
}

} // namespace forewarp::memory
