// Footprints at another size than the traced one. An access whose address is an affine function of the
// thread's coordinates and the loops' iterations (A[i][k]: i times the pitch plus k) has the same form at
// every size; its coefficients are extrapolated from the small runs, and the traced accesses are given the
// addresses that they have in the large arrays.
#pragma once

#include "port/scale/region_size.h"

namespace forewarp::port {

struct MovedTrace {
  /// The first run's, objects and addresses at the wanted size. Blocks 0 to 2 along each axis are whole:
  /// threads that the small run could not have are copies of traced ones, with addresses of their own.
  facts::RegionTrace trace;
  std::size_t affine_sites = 0, sites = 0; ///< of those that were run; others keep their traced distances
};

/// `size`: scale() of the same runs and sizes.
MovedTrace move_addresses(const std::vector<SizedRun>& runs, const Sizes& wanted, const RegionSize& size);

/// Address = start of the object + constant + coordinates . threads + iterations . loops, in bytes.
struct AffineAccess {
  bool found = false;
  std::uint32_t object = facts::no_region_index;
  double constant = 0;
  std::array<double, 3> threads{}; ///< by coordinate, outermost first
  std::vector<double> loops;       ///< by RegionLoop; 0 for those that do not hold the site
};

/// One entry a site; exact for every traced access of the site, else not found.
std::vector<AffineAccess> affine_accesses(const facts::RegionTrace& trace);

/// Whole blocks 0 to 2 along each axis for blocks of another shape than the traced one: threads that are
/// missing are copies of traced ones, with addresses by `accesses` (affine_accesses of the trace).
facts::RegionTrace fill_blocks(const facts::RegionTrace& trace, const RegionSize& size,
                               const std::array<std::uint64_t, 3>& block,
                               const std::vector<AffineAccess>& accesses);

} // namespace forewarp::port
