#include "explore/space/space.h"
#include "support/counter_random.h"

#include <bit>

namespace forewarp::explore {

std::uint64_t shuffled(std::uint64_t index, std::uint64_t points, std::uint64_t seed) {
  if (points < 2)
    return index;
  // A power of 4 above `points`: at most 4 times too large, so that a walk takes 4 steps at most on average.
  const unsigned half = (static_cast<unsigned>(std::bit_width(points - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  constexpr unsigned rounds = 4;
  do {
    std::uint64_t left = index >> half, right = index & mask;
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint64_t mixed = left ^ (counter_random(seed * rounds + round, right) & mask);
      left = right;
      right = mixed;
    }
    index = (left << half) | right;
  } while (index >= points);
  return index;
}

} // namespace forewarp::explore
