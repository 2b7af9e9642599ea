#pragma once

#include <string>

namespace forewarp::facts {

/// Resident groups per SM and what bounds them (Wang et al. DATE 2019, Eq. 1-7, with allocation
/// granularities).
struct Occupancy {
  unsigned active_groups_per_sm = 0; ///< 0: not even one group fits
  unsigned warps_per_group = 0;
  unsigned active_warps_per_sm = 0;
  unsigned max_warps_per_sm = 0;
  double fraction = 0; ///< active / max warps
  std::string limiter; ///< "warps", "groups", "registers", "shared_memory", "grid"
  unsigned groups_by_warps = 0, groups_by_groups = 0, groups_by_registers = 0, groups_by_shared = 0;
  std::string next_step; ///< "3 registers fewer per thread give one more group"; may be empty
};

} // namespace forewarp::facts
