// Traces that hold a part of each warp, on buffers that L2 holds whole: what the part fetches from DRAM is
// fetched once, however much of the warps the part stands for.
#pragma once

#include "memory/translate/stage_input.h"

#include <vector>

namespace forewarp::memory {

/// By site, the share of `read_bytes` (from DRAM, counted up to the whole grid) that its buffer can give:
/// below 1 where the launch's buffers fit into L2 together and the sites of one would read more than it
/// holds. Empty: no warp was recorded in part, or the buffers do not fit.
std::vector<double> first_touch_shares(const StageInput& in, const std::vector<double>& read_bytes);

} // namespace forewarp::memory
