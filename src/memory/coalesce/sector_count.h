// Set bits of sector masks. The baseline instruction set has no population count, and masks of one block have
// four bits.
#pragma once

#include <bit>
#include <cstdint>

namespace forewarp::memory {

inline unsigned sector_count(std::uint32_t mask) {
  constexpr std::uint64_t bits_of_nibble = 0x4332322132212110ULL;
  if (mask < 16)
    return static_cast<unsigned>(bits_of_nibble >> (4 * mask) & 15);
  return static_cast<unsigned>(std::popcount(mask));
}

} // namespace forewarp::memory
