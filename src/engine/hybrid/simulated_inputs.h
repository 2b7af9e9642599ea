// What the simulated SM is told of the memory system, rounded to what such numbers are worth: launches that
// differ by less are one simulation (simulation_store.h).
#pragma once

#include "engine/hybrid/streams.h"

namespace forewarp::engine::hybrid {

/// Sectors and passes to 1/128 below 1 and to 7 binary digits behind the first above it: whole numbers up to
/// 256 stay, others move by 0.4 % at most.
facts::AccessOutcome as_simulated(const facts::AccessOutcome& outcome);

/// To 8 binary digits behind the first: 0.2 % at most.
BandwidthShares as_simulated(const BandwidthShares& shares);

} // namespace forewarp::engine::hybrid
