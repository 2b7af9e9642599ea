// What would let more warps be resident, in one sentence.
#pragma once

#include "analysis/occupancy_rules/limits.h"
#include "facts/occupancy.h"

#include <string>

namespace forewarp::analysis {

/// `now` has everything but the sentence. Empty: full already, or nothing simple helps.
std::string next_step(const gpu::Machine& machine, const GroupDemand& group, const facts::Occupancy& now,
                      std::uint64_t groups_of_grid);

} // namespace forewarp::analysis
