#pragma once

#include "frontend/lowering/builtin_call.h"

namespace forewarp::frontend::lowering {

/// The row that serves every convert_<type><n>[_sat][_rte|_rtz|_rtp|_rtn].
/// NOT modelled: directed rounding of results that are floating-point (refused).
const Row& convert_row();

} // namespace forewarp::frontend::lowering
