// Order of the last uses of a set's ways: an age a way, 0 for the one used last, in memory that the set
// gives. All zero: nothing was ever used.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace forewarp::memory {

/// Bytes of a set come in so many; those beyond its ways are never read for a way.
inline constexpr unsigned bytes_at_once = 16;

/// Bit per byte of 16 that is `wanted`.
inline unsigned equal_bytes(const std::uint8_t* bytes, std::uint8_t wanted) {
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

/// Adds 1 to each of 16 bytes that is below `limit`; all are below 128.
inline void add_one_below(std::uint8_t* bytes, std::uint8_t limit) {
#ifdef __SSE2__
  auto* const place = reinterpret_cast<__m128i*>(bytes);
  const __m128i held = _mm_loadu_si128(place);
  _mm_storeu_si128(place, _mm_sub_epi8(held, _mm_cmplt_epi8(held, _mm_set1_epi8(static_cast<char>(limit)))));
#else
  for (unsigned i = 0; i < bytes_at_once; ++i)
    bytes[i] = static_cast<std::uint8_t>(bytes[i] + (bytes[i] < limit));
#endif
}

struct RecencyHead {
  std::uint8_t newest = 0, filled = 0; ///< `filled`: ways that were ever used, the first ones
};

class Recency {
public:
  static constexpr unsigned most_ways = 128;

  /// `ages` holds a byte a way, rounded up to `bytes_at_once`.
  Recency(RecencyHead& head, std::uint8_t* ages) : head_(head), ages_(ages) {}

  unsigned newest() const { return head_.newest; }
  /// Way to fill next, which becomes the newest: one never filled, else the oldest.
  unsigned replace(unsigned ways) {
    unsigned way = head_.filled;
    if (way < ways)
      ages_[way] = head_.filled++; // older than all others
    else
      way = at_age(static_cast<std::uint8_t>(ways - 1));
    used(way);
    return way;
  }
  void used(unsigned way) {
    if (way == head_.newest)
      return;
    const std::uint8_t age = ages_[way];
    for (unsigned first = 0; first < head_.filled; first += bytes_at_once)
      add_one_below(ages_ + first, age);
    ages_[way] = 0;
    head_.newest = static_cast<std::uint8_t>(way);
  }
  /// Of sets whose order a policy keeps: the way to look at first.
  void found(unsigned way) { head_.newest = static_cast<std::uint8_t>(way); }
  /// The way's line is gone: it is the next to be replaced.
  void emptied(unsigned way) {
    const std::uint8_t age = ages_[way];
    for (unsigned other = 0; other < head_.filled; ++other)
      ages_[other] = static_cast<std::uint8_t>(ages_[other] - (ages_[other] > age ? 1 : 0));
    ages_[way] = static_cast<std::uint8_t>(head_.filled - 1);
    head_.newest = static_cast<std::uint8_t>(at_age(0));
  }

private:
  unsigned at_age(std::uint8_t age) const {
    unsigned first = 0, found = 0;
    while ((found = equal_bytes(ages_ + first, age) & in_use(first)) == 0)
      first += bytes_at_once;
    return first + static_cast<unsigned>(std::countr_zero(found));
  }
  /// Bit per byte from `first` that belongs to a filled way; there always is one.
  unsigned in_use(unsigned first) const {
    const unsigned left = head_.filled - first;
    return left >= bytes_at_once ? 0xFFFFU : (1U << left) - 1;
  }

  RecencyHead& head_;
  std::uint8_t* ages_;
};

} // namespace forewarp::memory
