// What the simulated SM is told of the memory system, rounded to what such numbers are worth: launches that
// differ by less are one simulation (simulation_store.h).
#pragma once

#include "predict/traced/streams/streams.h"

namespace forewarp::predict::hybrid {

/// Sectors asked and passes, which follow from addresses: to 1/128 below 1 and to 7 binary digits behind the
/// first above it, 0.4 % at most. What caches let through, estimated on a part of the lines and groups: to
/// 1/32 and 5 digits, 1.6 % at most; whole numbers up to 64 stay. Of what takes DRAM's time one sum is
/// rounded, dram_extra_sectors being what of it lies beyond the first sector, which a warp waits for.
facts::AccessOutcome as_simulated(const facts::AccessOutcome& outcome);

/// To 7 binary digits behind the first: 0.4 % at most.
double share_as_simulated(double share);
/// Each as share_as_simulated.
BandwidthShares as_simulated(const BandwidthShares& shares);

} // namespace forewarp::predict::hybrid
