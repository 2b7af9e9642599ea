// DRAM transactions of a pseudo-warp's memory instruction, a mean for each access class (Wang, Zhong, Mitra:
// CGPredict, TECS 2017, sections 3.3.3 and 3.3.4).
#pragma once

#include "port/access/classes.h"
#include "port/cache/conflict_sets.h"

#include <array>

namespace forewarp::port {

struct ClassTraffic {
  double events = 0;            ///< warp instructions of the class that were followed
  double l2_transactions = 0;   ///< references to the cache
  double dram_transactions = 0; ///< of these, misses
  double dram_per_event() const { return events > 0 ? dram_transactions / events : 0; }
  double miss_rate() const { return l2_transactions > 0 ? dram_transactions / l2_transactions : 0; }
};
using ClassRates = std::array<ClassTraffic, 3>; ///< by AccessPattern

/// The first two batches of `resident_groups` blocks, each batch in lock step: the first memory instruction
/// of every warp, then the second, ... An uncoalesced access refers to the cache lane by lane, a coalesced or
/// constant one line by line. The cache is cold at the start, or
/// has seen the same two batches before (`warm`: an earlier launch of the region). Blocks after the second
/// batch are not counted: the rates that C prints are those of the first two.
ClassRates class_rates(const facts::KernelTrace& trace, const std::vector<facts::MemorySite>& sites,
                       const CacheShape& cache, unsigned resident_groups, bool warm = false);

} // namespace forewarp::port
