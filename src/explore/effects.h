// What each parameter does to the time.
#pragma once

#include "explore/summary.h"

namespace forewarp::explore {

/// Parameters of one value are left out. Throws SQLite's exceptions (see store_guard.h).
std::vector<ParameterEffect> parameter_effects(Store& store, const Space& space, std::size_t gpu);

} // namespace forewarp::explore
