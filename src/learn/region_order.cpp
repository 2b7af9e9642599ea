#include "learn/region_order.h"

#include <algorithm>
#include <numeric>

namespace forewarp::learn {

double program_speedup(const std::vector<OrderedRegion>& regions, const std::vector<std::size_t>& ported) {
  double time = 1;
  for (const std::size_t region : ported)
    time -= regions[region].share * (1 - 1 / regions[region].speedup);
  return 1 / time;
}

double share_of_reach(const std::vector<OrderedRegion>& regions, const std::vector<std::size_t>& ported) {
  return program_speedup(regions, ported) / program_speedup(regions, porting_order(regions));
}

std::vector<std::size_t> porting_order(const std::vector<OrderedRegion>& regions) {
  std::vector<std::size_t> order(regions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return regions[a].share * (1 - 1 / regions[a].speedup) > regions[b].share * (1 - 1 / regions[b].speedup);
  });
  return order;
}

} // namespace forewarp::learn
