#include "simt/sampling/recorder.h"

#include "simt/lanes/lane_kernel_tables.h"
#include "simt/lanes/lane_mask.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#ifdef FOREWARP_LANE_CLONES
#include <immintrin.h>
#endif

namespace forewarp::simt {
namespace {

struct Range {
  std::uint64_t low = ~std::uint64_t{0}, high = 0;
};

Range range_plain(const std::uint64_t* a, std::uint64_t active) {
  Range range;
  for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
    const std::uint64_t x = a[std::countr_zero(rest)];
    range.low = std::min(range.low, x);
    range.high = std::max(range.high, x);
  }
  return range;
}

/// Bit l (from 1): a[l] - a[l-1] is not `stride`. Bit 0 is clear.
std::uint64_t breaks_plain(const std::uint64_t* a, std::uint64_t stride, unsigned lanes) {
  std::uint64_t result = 0;
  for (unsigned l = 1; l < lanes; ++l)
    result |= static_cast<std::uint64_t>(a[l] - a[l - 1] != stride) << l;
  return result;
}

#ifdef FOREWARP_LANE_CLONES
__attribute__((target("avx512f"))) std::uint64_t breaks_512(const std::uint64_t* a, std::uint64_t stride,
                                                            unsigned lanes) {
  const __m512i step = _mm512_set1_epi64(static_cast<long long>(stride));
  std::uint64_t result = 0;
  for (unsigned l = 0; l < lanes; l += 8) {
    // The lane below each lane; lane 0 has none and is masked.
    const __mmask8 valid = l == 0 ? 0xFE : 0xFF;
    const __m512i below = _mm512_maskz_loadu_epi64(valid, a + l - 1);
    const __m512i difference = _mm512_sub_epi64(_mm512_loadu_si512(a + l), below);
    result |= static_cast<std::uint64_t>(_mm512_mask_cmpneq_epi64_mask(valid, difference, step)) << l;
  }
  return result;
}

__attribute__((target("avx512f"))) Range range_512(const std::uint64_t* a, std::uint64_t active,
                                                   unsigned lanes) {
  __m512i low = _mm512_set1_epi64(-1), high = _mm512_setzero_si512();
  for (unsigned l = 0; l < lanes; l += 8) {
    const auto valid = static_cast<__mmask8>(active >> l);
    const __m512i some = _mm512_loadu_si512(a + l);
    low = _mm512_mask_min_epu64(low, valid, low, some);
    high = _mm512_mask_max_epu64(high, valid, high, some);
  }
  alignas(64) std::array<std::uint64_t, 8> lows, highs;
  _mm512_store_si512(lows.data(), low);
  _mm512_store_si512(highs.data(), high);
  return {std::ranges::min(lows), std::ranges::max(highs)};
}

bool has_avx512() {
  static const bool has = __builtin_cpu_supports("avx512f") != 0;
  return has;
}
#endif

std::uint64_t breaks(const std::uint64_t* a, std::uint64_t stride, unsigned lanes) {
#ifdef FOREWARP_LANE_CLONES
  if (has_avx512())
    return breaks_512(a, stride, lanes);
#endif
  return breaks_plain(a, stride, lanes);
}

Range range_of(const std::uint64_t* a, std::uint64_t active, [[maybe_unused]] unsigned lanes) {
#ifdef FOREWARP_LANE_CLONES
  if (has_avx512())
    return range_512(a, active, lanes);
#endif
  return range_plain(a, active);
}

AddressPattern explicit_pattern(const std::uint64_t* a, std::uint64_t active, unsigned lanes) {
  const Range range = range_of(a, active, lanes);
  AddressPattern p;
  p.pattern = facts::MemoryEvent::Pattern::explicit_offsets;
  p.base = p.low = range.low;
  p.high = range.high;
  return p;
}

/// `broken`: where the step differs from a[1] - a[0]. Rows: it breaks at every multiple of the row length
/// alike.
bool try_rows(const std::uint64_t* a, unsigned lanes, std::uint64_t broken, AddressPattern& p) {
  const auto row = static_cast<unsigned>(std::countr_zero(broken));
  if (row < 2 || row >= lanes)
    return false;
  std::uint64_t expected = 0;
  const std::uint64_t stride = a[1] - a[0], row_stride = a[row] - a[0];
  std::uint64_t low = a[0], high = a[0];
  for (unsigned l = row, k = 1; l < lanes; l += row, ++k) {
    expected |= std::uint64_t{1} << l;
    if (a[l] != a[0] + k * row_stride)
      return false;
    low = std::min(low, a[l]);
    high = std::max(high, a[l]);
  }
  if (expected != broken)
    return false;
  const std::uint64_t reach = (row - 1) * stride; // of one row, backwards when negative
  if (static_cast<std::int64_t>(reach) < 0)
    low += reach;
  else
    high += reach;
  p.pattern = facts::MemoryEvent::Pattern::affine2;
  p.base = a[0];
  p.stride = static_cast<std::int64_t>(stride);
  p.row_stride = static_cast<std::int64_t>(row_stride);
  p.row_lanes = static_cast<std::uint8_t>(row);
  p.low = low;
  p.high = high;
  return true;
}

/// Rows of `row` lanes of which some are idle (the rim of a 2-D tile); false where the active lanes do not
/// fit.
bool fits_rows(const std::uint64_t* a, std::uint64_t active, unsigned row, AddressPattern& p) {
  const auto first = static_cast<unsigned>(std::countr_zero(active));
  std::uint64_t stride = 0, row_stride = 0;
  bool has_stride = false, has_row_stride = false;
  const std::uint64_t others = active & (active - 1);
  for (std::uint64_t rest = others; rest != 0 && !has_stride; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    if (l / row != first / row)
      break;
    const auto step = static_cast<std::int64_t>(a[l] - a[first]);
    const auto distance = static_cast<std::int64_t>(l - first);
    if (step % distance != 0)
      return false;
    stride = static_cast<std::uint64_t>(step / distance);
    has_stride = true;
  }
  for (std::uint64_t rest = others; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint64_t rows = l / row - first / row, inside = (l % row - first % row) * stride;
    if (rows != 0 && !has_row_stride) {
      const auto step = static_cast<std::int64_t>(a[l] - a[first] - inside);
      if (step % static_cast<std::int64_t>(rows) != 0)
        return false;
      row_stride = static_cast<std::uint64_t>(step / static_cast<std::int64_t>(rows));
      has_row_stride = true;
    }
    if (a[l] != a[first] + inside + rows * row_stride)
      return false;
  }
  if (!has_stride || !has_row_stride)
    return false;
  p.pattern = facts::MemoryEvent::Pattern::affine2;
  p.base = a[first] - first % row * stride - first / row * row_stride;
  p.stride = static_cast<std::int64_t>(stride);
  p.row_stride = static_cast<std::int64_t>(row_stride);
  p.row_lanes = static_cast<std::uint8_t>(row);
  return true;
}

AddressPattern affine(std::uint64_t base, std::uint64_t stride, std::uint64_t first, std::uint64_t last) {
  AddressPattern p;
  p.base = base;
  p.stride = static_cast<std::int64_t>(stride);
  p.low = std::min(first, last);
  p.high = std::max(first, last);
  return p;
}

} // namespace

AddressPattern classify(const std::uint64_t* a, std::uint64_t active, unsigned lanes) {
  if (active == lane_mask(lanes)) {
    const std::uint64_t stride = a[1] - a[0];
    const std::uint64_t broken = breaks(a, stride, lanes);
    if (broken == 0)
      return affine(a[0], stride, a[0], a[lanes - 1]);
    AddressPattern p;
    return try_rows(a, lanes, broken, p) ? p : explicit_pattern(a, active, lanes);
  }
  const auto first = static_cast<unsigned>(std::countr_zero(active));
  const std::uint64_t others = active & (active - 1);
  if (others == 0)
    return affine(a[first], 0, a[first], a[first]);
  const auto second = static_cast<unsigned>(std::countr_zero(others));
  const auto last = 63 - static_cast<unsigned>(std::countl_zero(active));
  const auto step = static_cast<std::int64_t>(a[second] - a[first]);
  const auto distance = static_cast<std::int64_t>(second - first);
  if (step % distance == 0) {
    const auto stride = static_cast<std::uint64_t>(step / distance);
    const std::uint64_t base = a[first] - first * stride;
    bool fits = true;
    for (std::uint64_t rest = others; rest != 0 && fits; rest &= rest - 1) {
      const auto l = static_cast<unsigned>(std::countr_zero(rest));
      fits = a[l] == base + l * stride;
    }
    if (fits)
      return affine(base, stride, a[first], a[last]);
  }
  AddressPattern p = explicit_pattern(a, active, lanes); // its low and high hold for rows as well
  if (std::popcount(active) < 4)                         // three addresses fit any rows
    return p;
  for (unsigned row = 4; row < lanes; row *= 2)
    if (fits_rows(a, active, row, p))
      break;
  return p;
}

void LastOffsets::clear(std::size_t sites) {
  of_site.assign(sites, UINT32_MAX);
  shared_bytes = 0;
}

namespace {

/// Index of the offsets in the trace.
std::uint32_t stored(facts::WarpTrace& trace, const std::int64_t* offsets, unsigned lanes,
                     std::uint32_t& last, std::uint64_t& shared_bytes) {
  const std::size_t bytes = lanes * sizeof(std::int64_t);
  if (last != UINT32_MAX && std::memcmp(trace.offsets.data() + last, offsets, bytes) == 0) {
    shared_bytes += bytes;
    return last;
  }
  last = static_cast<std::uint32_t>(trace.offsets.size());
  trace.offsets.insert(trace.offsets.end(), offsets, offsets + lanes);
  return last;
}

} // namespace

std::size_t record(facts::WarpTrace& trace, std::uint32_t site, facts::MemorySpace space,
                   std::uint64_t active, const AddressPattern& pattern, const std::uint64_t* addresses,
                   unsigned lanes, LastOffsets* last) {
  facts::MemoryEvent event;
  event.site = site;
  event.space = space;
  event.pattern = pattern.pattern;
  event.row_lanes = pattern.row_lanes;
  event.active = active;
  event.base = pattern.base;
  event.stride = pattern.stride;
  event.row_stride = pattern.row_stride;
  const bool irregular = pattern.pattern == facts::MemoryEvent::Pattern::explicit_offsets;
  if (irregular) {
    std::array<std::int64_t, 64> offsets;
    for (unsigned l = 0; l < lanes; ++l)
      offsets[l] = (active >> l & 1) != 0 ? static_cast<std::int64_t>(addresses[l] - pattern.base) : 0;
    std::uint32_t none = UINT32_MAX;
    std::uint64_t unused = 0;
    event.first_offset = stored(trace, offsets.data(), lanes, last != nullptr ? last->of_site[site] : none,
                                last != nullptr ? last->shared_bytes : unused);
  }
  trace.events.push_back(event);
  return irregular ? lanes * sizeof(std::int64_t) : 0;
}

std::size_t record_mixed(facts::WarpTrace& trace, std::uint32_t site, const Texels& texels, unsigned lanes) {
  facts::MemoryEvent event;
  event.site = site;
  event.space = facts::MemorySpace::texture;
  event.pattern = facts::MemoryEvent::Pattern::explicit_offsets;
  event.active = texels.active;
  event.base = texels.address[0][static_cast<unsigned>(std::countr_zero(texels.active))];
  event.first_offset = static_cast<std::uint32_t>(trace.offsets.size());
  event.places = static_cast<std::uint8_t>(texels.places);
  for (unsigned place = 0; place < texels.places; ++place)
    for (unsigned l = 0; l < lanes; ++l)
      trace.offsets.push_back((texels.active >> l & 1) != 0
                                  ? static_cast<std::int64_t>(texels.address[place][l] - event.base)
                                  : 0);
  trace.events.push_back(event);
  return static_cast<std::size_t>(texels.places) * lanes * sizeof(std::int64_t);
}

} // namespace forewarp::simt
