// Which region to port first (Ardalani, dissertation 2016, section 1.1, "Region selection").
#pragma once

#include <vector>

namespace forewarp::learn {

struct OrderedRegion {
  double share = 0;   ///< of the program's time on the CPU, 0 to 1
  double speedup = 0; ///< of the region on the GPU, above 0
};

/// Amdahl's law: the program's speed-up with the regions in `ported`.
double program_speedup(const std::vector<OrderedRegion>& regions, const std::vector<std::size_t>& ported);

/// Of the speed-up that porting all regions reaches, the part that the regions in `ported` reach.
double share_of_reach(const std::vector<OrderedRegion>& regions, const std::vector<std::size_t>& ported);

/// Region numbers in the order of what each takes from the program's time: share * (1 - 1 / speedup).
std::vector<std::size_t> porting_order(const std::vector<OrderedRegion>& regions);

} // namespace forewarp::learn
