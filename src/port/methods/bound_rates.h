// A GPU's rates as the bound of a learned predictor needs them.
#pragma once

#include "gpu/machine.h"
#include "learn/model/bound.h"

namespace forewarp::port {

learn::BoundRates bound_rates(const gpu::Machine& machine);

} // namespace forewarp::port
