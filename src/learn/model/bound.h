// The least time that a region needs on a GPU by its data sheet, from features alone: a roofline with terms
// for caches, latency and the host (after Williams et al., CACM 2009, and the bounds of Hong and Kim, ISCA
// 2009). A learner of times starts from it and learns what is left.
#pragma once

#include "learn/training_rows.h"

#include <array>
#include <string>
#include <vector>

namespace forewarp::learn {

/// Of one GPU; rates of the whole GPU.
struct BoundRates {
  double dram_bytes_per_ms = 0, cache_bytes_per_ms = 0; ///< cache: first level, of all multiprocessors
  double single_per_ms = 0, twice_per_ms = 0;           ///< operations of threads in float and in double
  double instructions_per_ms = 0;                       ///< of threads: what the schedulers issue
  double load_ms = 0;                                   ///< latency of a load that hits the second level
  double host_ms = 0;                                   ///< a launch, or a copy of a few bytes
  double threads = 0;                                   ///< resident at once
  bool known() const { return dram_bytes_per_ms > 0; }
};

/// Times in ms, and threads of a launch to those that the GPU holds (at most 1).
struct Bound {
  double memory = 0;     ///< what launches read and write of distinct memory
  double cache = 0;      ///< sectors of all accesses; 0 where there are no pseudo-warps
  double arithmetic = 0; ///< the slowest of float, double and issue
  double latency = 0;    ///< a thread's accesses one after the other, four of them under way
  double host = 0;       ///< launches, and two copies for each value that the iterations hand on
  double occupancy = 1;
  double total() const; ///< host, and the longest of the others
};

/// Features that it needs: ninst, fp, dp, phys_*; without warp_* the cache's term is 0.
inline constexpr const char* bound_column = "bound_ms";

/// Errors (bad_input): a feature is missing (make the rows with --with-warps).
Result<Bound> physical_bound(const std::vector<std::string>& names, const std::vector<double>& values,
                             const BoundRates& rates);

/// The table with `bound_ms`, shares of its terms (bound_memory, ...) and bound_occupancy as further
/// features. Errors: as physical_bound.
Result<TrainingTable> with_bound(TrainingTable table, const BoundRates& rates);

/// The same for one region. Errors: as physical_bound.
Result<void> append_bound(std::vector<std::string>& names, std::vector<double>& values,
                          const BoundRates& rates);

} // namespace forewarp::learn
