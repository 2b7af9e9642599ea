#include "memory/coalesce/constant.h"

#include <algorithm>
#include <bit>

namespace forewarp::memory {

unsigned constant_passes(const Lanes& lanes) {
  std::array<std::int64_t, max_lanes> addresses;
  std::size_t count = 0;
  for (std::uint64_t rest = lanes.active; rest; rest &= rest - 1)
    addresses[count++] = lanes.address[static_cast<unsigned>(std::countr_zero(rest))];
  const auto end = addresses.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(addresses.begin(), end);
  return static_cast<unsigned>(std::unique(addresses.begin(), end) - addresses.begin());
}

} // namespace forewarp::memory
