#include "memory/cache.h"

#include "memory/sector_count.h"

#include <algorithm>
#include <bit>
#include <new>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace forewarp::memory {
namespace {

/// Never 0, so that an empty way's byte differs.
std::uint8_t byte_of(std::uint64_t tag) {
  return static_cast<std::uint8_t>((tag * 0x9E3779B97F4A7C15ULL) >> 56 | 1);
}

constexpr unsigned bytes_at_once = 16;

/// Bit per byte of 16 that is `wanted`.
unsigned candidates(const std::uint8_t* bytes, std::uint8_t wanted) {
#ifdef __SSE2__
  const __m128i held = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  return static_cast<unsigned>(
      _mm_movemask_epi8(_mm_cmpeq_epi8(held, _mm_set1_epi8(static_cast<char>(wanted)))));
#else
  unsigned mask = 0;
  for (unsigned i = 0; i < bytes_at_once; ++i)
    mask |= static_cast<unsigned>(bytes[i] == wanted) << i;
  return mask;
#endif
}

} // namespace

Cache::Cache(const gpu::CacheGeometry& geometry, std::string_view policy) {
  const unsigned line_bytes = std::clamp(std::bit_floor(std::max(1U, geometry.line_bytes)), 32U, 1024U);
  line_sectors_ = line_bytes / 32;
  wide_sectors_ = std::clamp(std::bit_floor(std::max(1U, geometry.sector_bytes)), 32U, line_bytes) / 32;
  const std::uint64_t lines = geometry.size_bytes / line_bytes;
  ways_ =
      static_cast<unsigned>(std::clamp<std::uint64_t>(geometry.ways, 1, std::max<std::uint64_t>(1, lines)));
  sets_ = lines / ways_;
  if (sets_ == 0)
    return;
  hash_bits_ = static_cast<unsigned>(std::bit_width(sets_)) - 1;
  set_modulo_ = Modulo(sets_);
  plain_ = line_sectors_ == 4 && wide_sectors_ == 1;
  blocks_per_line_bits_ = line_sectors_ >= 4 ? static_cast<unsigned>(std::countr_zero(line_sectors_ / 4)) : 0;
  byte_words_ = (ways_ + bytes_at_once - 1) / bytes_at_once * bytes_at_once / 8;
  link_words_ = (ways_ + 3) / 4;
  stride_ = 1 + byte_words_ + 2 * link_words_ + 2 * ways_;
  words_.reset(static_cast<std::uint64_t*>(std::calloc(sets_ * stride_, sizeof(std::uint64_t))));
  if (!words_)
    throw std::bad_alloc();
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

inline unsigned Cache::find(const Set& s, std::uint64_t tag) const {
  if (const unsigned newest = s.recency.newest(); s.tags[newest] == tag)
    return newest;
  const std::uint8_t wanted = byte_of(tag);
  for (unsigned first = 0; first < ways_; first += bytes_at_once)
    for (unsigned rest = candidates(s.bytes + first, wanted); rest; rest &= rest - 1)
      if (const unsigned way = first + static_cast<unsigned>(std::countr_zero(rest)); s.tags[way] == tag)
        return way;
  return ways_;
}

unsigned Cache::way_by_policy(const Set& s, std::uint64_t index) {
  for (unsigned way = 0; way < ways_; ++way)
    if (s.tags[way] == 0)
      return way;
  return replacement_->victim(index);
}

unsigned Cache::find_or_replace(Set& s, std::uint64_t index, std::uint64_t line, CacheResult& result) {
  unsigned way = find(s, line + 1);
  if (way < ways_) {
    if (replacement_)
      replacement_->touched(index, way);
    else
      s.recency.used(way);
    return way;
  }
  way = replacement_ ? way_by_policy(s, index) : s.recency.replace(ways_);
  result.evicted_dirty += sector_count(static_cast<std::uint32_t>(s.sectors[way] >> 32));
  s.sectors[way] = 0;
  s.tags[way] = line + 1;
  s.bytes[way] = byte_of(line + 1);
  if (replacement_)
    replacement_->inserted(index, way);
  return way;
}

template <Cache::Use use>
void Cache::access_line(std::uint64_t line, std::uint32_t mask, unsigned shift, CacheResult& result) {
  const std::uint64_t index = set_of(line);
  Set s = set(index);
  std::uint64_t& entry = s.sectors[find_or_replace(s, index, line, result)];
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

CacheResult Cache::load(std::uint64_t block, std::uint8_t sectors) {
  return access<Use::load>(block, sectors);
}
CacheResult Cache::store(std::uint64_t block, std::uint8_t sectors) {
  return access<Use::store>(block, sectors);
}
CacheResult Cache::atomic(std::uint64_t block, std::uint8_t sectors) {
  return access<Use::atomic>(block, sectors);
}

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
    s.tags[way] = s.sectors[way] = s.bytes[way] = 0;
    if (!replacement_)
      s.recency.emptied(way);
  }
}

} // namespace forewarp::memory
