#include "memory/cache/cache.h"

#include <algorithm>
#include <bit>
#include <new>

namespace forewarp::memory {

Cache::Cache(const gpu::CacheGeometry& geometry, std::string_view policy) {
  const unsigned line_bytes = std::clamp(std::bit_floor(std::max(1U, geometry.line_bytes)), 32U, 1024U);
  line_sectors_ = line_bytes / 32;
  wide_sectors_ = std::clamp(std::bit_floor(std::max(1U, geometry.sector_bytes)), 32U, line_bytes) / 32;
  const std::uint64_t lines = geometry.size_bytes / line_bytes;
  ways_ = static_cast<unsigned>(std::min<std::uint64_t>(
      {std::max(1U, geometry.ways), std::max<std::uint64_t>(1, lines), Recency::most_ways}));
  sets_ = lines / ways_;
  if (sets_ == 0)
    return;
  hash_bits_ = static_cast<unsigned>(std::bit_width(sets_)) - 1;
  set_modulo_ = Modulo(sets_);
  plain_ = line_sectors_ == 4 && wide_sectors_ == 1 && policy == "lru";
  blocks_per_line_bits_ = line_sectors_ >= 4 ? static_cast<unsigned>(std::countr_zero(line_sectors_ / 4)) : 0;
  constexpr std::size_t host_line = 64;
  bytes_bytes_ = (ways_ + bytes_at_once - 1) / bytes_at_once * bytes_at_once;
  const std::size_t used = sizeof(std::uint64_t) + 2 * bytes_bytes_ + ways_ * sizeof(Way);
  set_bytes_ = static_cast<unsigned>((used + host_line - 1) / host_line * host_line);
  std::size_t room = sets_ * set_bytes_ + host_line;
  memory_.reset(static_cast<std::uint8_t*>(std::calloc(room, 1)));
  if (!memory_)
    throw std::bad_alloc();
  void* begin = memory_.get();
  sets_begin_ = static_cast<std::uint8_t*>(std::align(host_line, sets_ * set_bytes_, begin, room));
  if (policy != "lru")
    replacement_ = make_replacement(policy, sets_, ways_);
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

Cache::Way& Cache::line_by_policy(std::uint64_t line, CacheResult& result) {
  const std::uint64_t index = set_of(line);
  Set s = set(index);
  unsigned way = find(s, line + 1);
  if (way < ways_) {
    s.recency.found(way);
    replacement_->touched(index, way);
    return s.ways[way];
  }
  way = 0;
  while (way < ways_ && s.ways[way].tag != 0)
    ++way;
  if (way == ways_)
    way = replacement_->victim(index);
  Way& out = put(s, way, line, result);
  replacement_->inserted(index, way);
  return out;
}

template <Cache::Use use>
void Cache::access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, CacheResult& result) {
  std::uint64_t& entry = (replacement_ ? line_by_policy(line, result) : line_of(line, result)).sectors;
  auto valid = static_cast<std::uint32_t>(entry), dirty = static_cast<std::uint32_t>(entry >> 32);
  const std::uint32_t missing = mask & ~valid;
  if (use != Use::store && missing) {
    const std::uint32_t fetched = widen(missing) & ~valid;
    result.filled += sector_count(fetched);
    valid |= fetched;
    result.fetched |= static_cast<std::uint8_t>(fetched >> shift & 15);
  }
  result.missing |= static_cast<std::uint8_t>(shift < 32 ? missing >> shift : 0);
  if (use != Use::load) {
    result.newly_dirty += sector_count(mask & ~dirty);
    valid |= mask;
    dirty |= mask;
  }
  entry = static_cast<std::uint64_t>(dirty) << 32 | valid;
}

template <Cache::Use use> CacheResult Cache::access(std::uint64_t block, std::uint8_t sectors) {
  CacheResult result;
  if (sets_ == 0) {
    result.missing = sectors;
    result.fetched = use == Use::store ? 0 : sectors;
    result.filled = use == Use::store ? 0 : sector_count(sectors);
    result.newly_dirty = use == Use::load ? 0 : sector_count(sectors);
    return result;
  }
  if (line_sectors_ >= 4) {
    const unsigned shift = static_cast<unsigned>(block & ((1U << blocks_per_line_bits_) - 1)) * 4;
    access_line<use>(block >> blocks_per_line_bits_, static_cast<std::uint32_t>(sectors) << shift, shift,
                     result);
    return result;
  }
  const unsigned parts = 4 / line_sectors_;
  for (unsigned part = 0; part < parts; ++part) {
    const std::uint32_t mask =
        (static_cast<std::uint32_t>(sectors) >> (part * line_sectors_)) & ((1U << line_sectors_) - 1);
    if (!mask)
      continue;
    CacheResult one;
    access_line<use>(block * parts + part, mask, 0, one);
    result.missing |= static_cast<std::uint8_t>(one.missing << (part * line_sectors_));
    result.fetched |= static_cast<std::uint8_t>(one.fetched << (part * line_sectors_));
    result.filled += one.filled;
    result.newly_dirty += one.newly_dirty;
    result.evicted_dirty += one.evicted_dirty;
  }
  return result;
}

template CacheResult Cache::access<Cache::Use::load>(std::uint64_t, std::uint8_t);
template CacheResult Cache::access<Cache::Use::store>(std::uint64_t, std::uint8_t);
template CacheResult Cache::access<Cache::Use::atomic>(std::uint64_t, std::uint8_t);

void Cache::invalidate(std::uint64_t block) {
  if (sets_ == 0)
    return;
  const std::uint64_t lines_per_block = line_sectors_ >= 4 ? 1 : 4 / line_sectors_;
  for (std::uint64_t part = 0; part < lines_per_block; ++part) {
    const std::uint64_t line =
        line_sectors_ >= 4 ? block / (line_sectors_ / 4) : block * lines_per_block + part;
    Set s = set(set_of(line));
    const unsigned way = find(s, line + 1);
    if (way == ways_)
      continue;
    s.ways[way] = {0, 0};
    s.bytes[way] = 0;
    if (!replacement_)
      s.recency.emptied(way);
  }
}

} // namespace forewarp::memory
