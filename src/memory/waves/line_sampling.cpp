#include "memory/waves/line_sampling.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {
namespace {

constexpr std::uint64_t least_sets = 32;

bool is_odd_prime(std::uint64_t n) {
  for (std::uint64_t d = 3; d * d <= n; d += 2)
    if (n % d == 0)
      return false;
  return n % 2 == 1 && n > 1;
}

std::uint64_t sets_of(const gpu::CacheGeometry& geometry) {
  return geometry.size_bytes /
         std::max<std::uint64_t>(1, static_cast<std::uint64_t>(geometry.line_bytes) * geometry.ways);
}

} // namespace

LineSampling::LineSampling(const gpu::CacheGeometry& geometry, std::uint64_t wanted,
                           const std::vector<std::uint64_t>& pitches_bytes, unsigned together_bytes) {
  const unsigned unit_bytes = std::max(together_bytes, std::bit_floor(geometry.line_bytes));
  const auto meets_a_pitch = [&](std::uint64_t p) {
    return std::any_of(pitches_bytes.begin(), pitches_bytes.end(),
                       [&](std::uint64_t bytes) { return bytes % (p * unit_bytes) == 0; });
  };
  const std::uint64_t sets = sets_of(geometry), most = sets / least_sets;
  wanted = std::min(std::max<std::uint64_t>(3, wanted), most);
  if (wanted < 3)
    return;
  // Of the primes at hand the one whose share of the sets is nearest to a whole number.
  double best = 1;
  const auto take = [&](std::uint64_t p) {
    if (!is_odd_prime(p) || meets_a_pitch(p))
      return;
    const auto kept = static_cast<double>((sets + p / 2) / p * p);
    const double off = std::abs(kept - static_cast<double>(sets)) / static_cast<double>(sets);
    if (off < best) {
      best = off;
      one_in_ = p;
    }
  };
  for (std::uint64_t p = wanted; p >= 3 && (p * 3 >= wanted * 2 || whole()); --p)
    take(p);
  // Where all of them meet a pitch, a larger one, and at last none: a sample would hold whole columns of the
  // rows, or nothing of them.
  for (std::uint64_t p = wanted + 1; p <= most && whole(); ++p)
    take(p);
  if (whole())
    return;
  if (unit_bytes > 128)
    blocks_together_bits_ = static_cast<unsigned>(std::countr_zero(unit_bytes / 128));
  period_ = Modulo(one_in_ << blocks_together_bits_);
}

gpu::CacheGeometry LineSampling::share_of(gpu::CacheGeometry geometry) const {
  if (!whole())
    geometry.size_bytes = (sets_of(geometry) + one_in_ / 2) / one_in_ * geometry.ways * geometry.line_bytes;
  return geometry;
}

} // namespace forewarp::memory
