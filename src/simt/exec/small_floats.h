// Conversions between floats of few bits and others, lane by lane.
#pragma once

#include "simt/exec/group_state.h"

namespace forewarp::simt {

void convert_small_floats(GroupState& state, const Instruction& instruction);

} // namespace forewarp::simt
