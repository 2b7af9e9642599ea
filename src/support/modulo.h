// Remainders by a divisor that stays the same: a multiplication in place of a division.
#pragma once

#include <cstdint>

namespace forewarp {

class Modulo {
public:
  /// `divisor` is at least 1.
  explicit constexpr Modulo(std::uint64_t divisor = 1)
      : divisor_(divisor), mask_((divisor & (divisor - 1)) == 0 ? divisor - 1 : 0),
        inverse_(divisor > 1 ? UINT64_MAX / divisor : 0) {}

  constexpr std::uint64_t divisor() const { return divisor_; }
  constexpr std::uint64_t operator()(std::uint64_t value) const {
    return mask_ || divisor_ == 1 ? value & mask_ : value - quotient(value) * divisor_;
  }
  constexpr std::uint64_t quotient(std::uint64_t value) const {
    if (divisor_ == 1)
      return value;
    // floor((2^64 - 1) / divisor) is less than one short of 2^64 / divisor: the product is at most one too
    // low.
    const auto q = static_cast<std::uint64_t>(static_cast<unsigned __int128>(value) * inverse_ >> 64);
    return value - q * divisor_ >= divisor_ ? q + 1 : q;
  }

private:
  std::uint64_t divisor_, mask_, inverse_;
};

} // namespace forewarp
