#include "memory/l2/l2_lookup.h"

namespace forewarp::memory {

void L2Lookup::tally(const StreamEvent& event, std::uint64_t group, std::uint64_t block, std::uint8_t mask,
                     double times, const L2Parts::Found& found, unsigned from_l3) {
  const CacheResult& r = found.at_home;
  SiteSectors& site = result.sites[event.site];
  const double each = absent_ ? times : 1;
  site.crossed += weight * found.crossed;
  site.read += weight * each * (r.filled - from_l3);
  site.from_l3 += weight * each * from_l3;
  if (r.filled > from_l3)
    site.waiting += weight * each * sector_count(mask);
  site.written += weight * each * r.newly_dirty;
  if ((r.fetched != 0 && r.filled > from_l3) || r.newly_dirty != 0)
    if (rows.known())
      to_dram.add(group, block, event.site, event.route == Route::store ? mask : r.fetched);
}

unsigned L2Lookup::found_in_l3(const StreamEvent& event, std::uint64_t block, std::uint8_t mask,
                               const CacheResult& l2) {
  if (event.route == Route::store) {
    if (l2.newly_dirty > 0)
      l3_.store(block, mask);
    return 0;
  }
  if (l2.fetched == 0)
    return 0;
  const CacheResult r = l3_.load(block, l2.fetched);
  return l2.filled - std::min(l2.filled, r.filled);
}

} // namespace forewarp::memory
