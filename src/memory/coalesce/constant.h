// The constant cache serves one address a pass: a warp that asks several is serialised (CUDA C Programming
// Guide, "Constant Memory").
#pragma once

#include "memory/coalesce/lanes.h"

namespace forewarp::memory {

/// Distinct addresses of the active lanes.
unsigned constant_passes(const Lanes& lanes);

} // namespace forewarp::memory
