// Written sectors that are still in the caches when the kernel ends.
#pragma once

#include "memory/l2/l2_stage.h"

#include <vector>

namespace forewarp::memory {

/// Write-back caches in front of DRAM hold what was written last when the kernel ends: those sectors are not
/// its traffic. The share of dirty sectors in full caches is taken to be their share of all that was filled
/// or written. Where more passes than the caches hold, the launch before, taken to be alike, left as many,
/// which this one drives out: DRAM's time, nobody's sectors. `others_dirty`: the
/// share of the caches that others left to be written, as a benchmark does that flushes them by writing a
/// buffer; then what is filled or written drives out that share of as much, until the caches have been turned
/// over once. 0: nobody did. Returns the bytes that are held at the
/// end.
double keep_dirty_sectors(double cache_bytes, double others_dirty, std::vector<SiteSectors>& sites);

} // namespace forewarp::memory
