#include "memory/l2/dirty_sectors.h"

#include <algorithm>

namespace forewarp::memory {

double keep_dirty_sectors(double cache_bytes, double others_dirty, std::vector<SiteSectors>& sites) {
  double read = 0, written = 0;
  for (const SiteSectors& site : sites) {
    read += site.read;
    written += site.written;
  }
  const double cache_sectors = cache_bytes / sector_bytes, passed = read + written;
  if (others_dirty > 0 && passed > 0)
    for (SiteSectors& site : sites)
      site.extra += others_dirty * (site.read + site.written) * std::min(1.0, cache_sectors / passed);
  if (written <= 0)
    return 0;
  const double held = std::min(passed, cache_sectors) * written / passed;
  const double driven_out =
      others_dirty > 0 ? 0 : std::clamp(passed / std::max(1.0, cache_sectors) - 1, 0.0, 1.0);
  for (SiteSectors& site : sites) {
    const double kept = site.written * std::min(1.0, held / written);
    site.written -= kept;
    site.extra += kept * driven_out;
  }
  return held * sector_bytes;
}

} // namespace forewarp::memory
