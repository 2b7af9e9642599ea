#include "program/cuda/exchange.h"

#include <algorithm>
#include <bit>

namespace forewarp::program {
namespace {

using native::Exchange;
using native::ExchangeKind;

ExchangeKind kind_of(const Exchange& at) {
  return static_cast<ExchangeKind>(at.kind);
}

bool waits_in_warp(const Exchange& at) {
  return kind_of(at) >= ExchangeKind::warp_barrier;
}

/// Lanes that wait at the place of `lane`.
std::uint32_t with(const Exchange* first, std::uint32_t lanes, std::uint32_t lane) {
  std::uint32_t mask = 0;
  for (std::uint32_t k = 0; k < lanes; ++k)
    if (waits_in_warp(first[k]) && first[k].site == first[lane].site)
      mask |= 1U << k;
  return mask;
}

std::uint32_t alive(const Exchange* first, std::uint32_t lanes) {
  std::uint32_t mask = 0;
  for (std::uint32_t k = 0; k < lanes; ++k)
    if (kind_of(first[k]) != ExchangeKind::finished)
      mask |= 1U << k;
  return mask;
}

/// The place whose members are all there; else that of the first lane that waits.
std::uint32_t choose(const Exchange* first, std::uint32_t lanes) {
  const std::uint32_t living = alive(first, lanes);
  std::uint32_t otherwise = 0, seen = 0;
  for (std::uint32_t k = 0; k < lanes; ++k) {
    if (!waits_in_warp(first[k]) || (seen >> k & 1U) != 0)
      continue;
    const std::uint32_t there = with(first, lanes, k);
    seen |= there;
    if ((first[k].members & living & ~there) == 0)
      return there;
    if (otherwise == 0)
      otherwise = there;
  }
  return otherwise;
}

/// As PTX has it: `clamp` holds the last lane of a segment, and in bits 8 to 12 which bits of the lane's
/// number name the segment.
void shuffle(Exchange* first, std::uint32_t there) {
  std::uint64_t value[warp_width];
  for (std::uint32_t k = 0; k < warp_width; ++k)
    value[k] = (there >> k & 1U) != 0 ? first[k].value : 0;
  for (std::uint32_t lane = 0; lane < warp_width; ++lane) {
    if ((there >> lane & 1U) == 0)
      continue;
    Exchange& own = first[lane];
    const std::uint32_t segment = own.clamp >> 8 & 31U, last = own.clamp & 31U, b = own.operand & 31U;
    const std::uint32_t most = (lane & segment) | (last & ~segment), least = lane & segment;
    std::int64_t from;
    bool inside = true;
    switch (kind_of(own)) {
    case ExchangeKind::shuffle_up:
      from = static_cast<std::int64_t>(lane) - b;
      inside = from >= static_cast<std::int64_t>(most);
      break;
    case ExchangeKind::shuffle_down:
      from = lane + b;
      inside = from <= most;
      break;
    case ExchangeKind::shuffle_xor:
      from = lane ^ b;
      inside = from <= most;
      break;
    default:
      from = least | (b & ~segment);
      inside = from <= most;
    }
    if (!inside)
      from = lane;
    own.value = value[from];
    own.predicate = inside ? 1 : 0;
  }
}

std::uint64_t join(ExchangeKind kind, std::uint64_t a, std::uint64_t b) {
  const auto x = static_cast<std::uint32_t>(a), y = static_cast<std::uint32_t>(b);
  const auto sx = static_cast<std::int32_t>(x), sy = static_cast<std::int32_t>(y);
  switch (kind) {
  case ExchangeKind::reduce_add:
    return static_cast<std::uint32_t>(x + y);
  case ExchangeKind::reduce_min:
    return sx < sy ? x : y;
  case ExchangeKind::reduce_max:
    return sx > sy ? x : y;
  case ExchangeKind::reduce_umin:
    return std::min(x, y);
  case ExchangeKind::reduce_umax:
    return std::max(x, y);
  case ExchangeKind::reduce_and:
    return x & y;
  case ExchangeKind::reduce_or:
    return x | y;
  default:
    return x ^ y;
  }
}

std::uint32_t equal_to(const Exchange* first, std::uint32_t there, std::uint64_t value) {
  std::uint32_t mask = 0;
  for (std::uint32_t k = 0; k < warp_width; ++k)
    if ((there >> k & 1U) != 0 && first[k].value == value)
      mask |= 1U << k;
  return mask;
}

/// One answer for all.
std::uint64_t common(const Exchange* first, std::uint32_t there, ExchangeKind kind) {
  const auto lowest = static_cast<std::uint32_t>(std::countr_zero(there));
  const std::uint32_t zero = equal_to(first, there, 0);
  switch (kind) {
  case ExchangeKind::vote_all:
    return zero == 0 ? 1 : 0;
  case ExchangeKind::vote_any:
    return zero != there ? 1 : 0;
  case ExchangeKind::vote_uniform:
    return zero == 0 || zero == there ? 1 : 0;
  case ExchangeKind::ballot:
  case ExchangeKind::active_mask:
    return there & ~zero;
  default: {
    std::uint64_t joined = first[lowest].value;
    for (std::uint32_t k = lowest + 1; k < warp_width; ++k)
      if ((there >> k & 1U) != 0)
        joined = join(kind, joined, first[k].value);
    return joined;
  }
  }
}

void match(Exchange* first, std::uint32_t there, bool any) {
  std::uint32_t mask[warp_width] = {};
  for (std::uint32_t k = 0; k < warp_width; ++k)
    if ((there >> k & 1U) != 0)
      mask[k] = equal_to(first, there, first[k].value);
  for (std::uint32_t k = 0; k < warp_width; ++k)
    if ((there >> k & 1U) != 0) {
      const bool all = mask[k] == there;
      first[k].value = any || all ? mask[k] : 0;
      first[k].predicate = all ? 1 : 0;
    }
}

} // namespace

std::uint32_t answer_warp(Exchange* first, std::uint32_t lanes) {
  const std::uint32_t there = choose(first, lanes);
  if (there == 0)
    return 0;
  const ExchangeKind kind = kind_of(first[std::countr_zero(there)]);
  if (kind >= ExchangeKind::shuffle_index && kind <= ExchangeKind::shuffle_xor) {
    shuffle(first, there);
  } else if (kind == ExchangeKind::match_any || kind == ExchangeKind::match_all) {
    match(first, there, kind == ExchangeKind::match_any);
  } else if (kind != ExchangeKind::warp_barrier) {
    const std::uint64_t value = common(first, there, kind);
    for (std::uint32_t k = 0; k < lanes; ++k)
      if ((there >> k & 1U) != 0)
        first[k].value = value;
  }
  return there;
}

void answer_barrier(Exchange* first, std::uint32_t items) {
  std::uint64_t count = 0, waiting = 0;
  for (std::uint32_t k = 0; k < items; ++k) {
    const ExchangeKind kind = kind_of(first[k]);
    if (kind == ExchangeKind::finished)
      continue;
    ++waiting;
    count += first[k].value != 0 ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < items; ++k)
    switch (kind_of(first[k])) {
    case ExchangeKind::barrier_count:
      first[k].value = count;
      break;
    case ExchangeKind::barrier_and:
      first[k].value = count == waiting ? 1 : 0;
      break;
    case ExchangeKind::barrier_or:
      first[k].value = count > 0 ? 1 : 0;
      break;
    default:
      break;
    }
}

} // namespace forewarp::program
