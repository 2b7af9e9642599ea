// Counter-based generator (Salmon et al., SC 2011, Philox-like use): a value is a function of (seed, index),
// so that a buffer of gigabytes needs no memory and every program of the project makes the same contents.
#pragma once

#include <cstdint>

namespace forewarp {

/// 64 random bits for element `index` of stream `seed` (SplitMix64's finaliser over a Weyl sequence; Steele
/// et al. 2014).
constexpr std::uint64_t counter_random(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t z = (seed + 1) * 0xD1342543DE82EF95ULL + (index + 1) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// In [0, 1), 24 bits, exactly representable as float.
constexpr float counter_random_unit(std::uint64_t seed, std::uint64_t index) {
  return static_cast<float>(counter_random(seed, index) >> 40) * 0x1p-24F;
}

} // namespace forewarp
