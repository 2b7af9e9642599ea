#include "memory/l1/swap_loops.h"

#include <algorithm>

namespace forewarp::memory {

double contenders(double successes, double groups, const Dealing& dealing) {
  if (successes <= 1 || groups <= 0)
    return 1;
  const double sms = std::min<double>(dealing.sms, groups);
  const double resident = std::min<double>(dealing.groups_per_sm, groups / sms);
  const double most = sms * std::min(1.0, resident * successes / groups);
  // All of them until so many operations are left, then as many as are left.
  const double mean = successes > most ? most - most * most / (2 * successes) : successes / 2;
  return std::max(1.0, mean);
}

double rounds_of_sector(std::size_t words) {
  double sum = 0;
  for (std::size_t word = 1; word <= words; ++word)
    sum += 1 / static_cast<double>(word);
  return sum;
}

} // namespace forewarp::memory
