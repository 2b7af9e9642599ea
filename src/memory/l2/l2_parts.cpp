#include "memory/l2/l2_parts.h"

#include "support/counter_random.h"

namespace forewarp::memory {

L2Parts::Found L2Parts::access_parts(Route route, unsigned from, std::uint64_t line, std::uint64_t held,
                                     std::uint8_t sectors) {
  const auto home = static_cast<unsigned>(counter_random(seed_, line) % parts());
  Found found;
  if (route == Route::store || route == Route::atomic) {
    found.at_home = one(parts_[home], route, held, sectors);
    for (unsigned p = 0; p < parts(); ++p)
      if (p != home)
        parts_[p].invalidate(held);
    found.crossed = from == home ? 0 : sector_count(sectors);
    return found;
  }
  found.at_home = parts_[from].load(held, sectors);
  if (from == home || found.at_home.fetched == 0)
    return found;
  const std::uint8_t asked = found.at_home.fetched;
  found.crossed = sector_count(asked);
  found.at_home = parts_[home].load(held, asked);
  return found;
}

} // namespace forewarp::memory
