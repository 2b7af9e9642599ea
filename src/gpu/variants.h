// Machines that are a GPU's but for one thing.
#pragma once

#include "gpu/machine.h"

namespace forewarp::gpu {

/// Loads of global memory go to L2.
Machine without_l1(Machine machine);

} // namespace forewarp::gpu
