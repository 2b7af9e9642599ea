#pragma once

#include "facts/launch.h"
#include "facts/machine_program.h"
#include "facts/occupancy.h"
#include "gpu/machine.h"
#include "support/result.h"

#include <optional>

namespace forewarp::analysis {

/// Resident groups per SM (Wang et al. DATE 2019, Eq. 1-7; allocation granularities of NVIDIA's occupancy
/// rules; AMD waves per SIMD). Errors (launch): a group larger than the GPU allows, shared memory or
/// registers that cannot fit.
Result<facts::Occupancy> occupancy(const gpu::Machine& machine, const facts::ResourceUse& resources,
                                   const facts::LaunchShape& shape);

/// What occupancy() counts for a thread in place of an estimate with which not even one group would fit;
/// nothing where it counts the estimate.
std::optional<unsigned> registers_taken(const gpu::Machine& machine, const facts::ResourceUse& resources,
                                        const facts::LaunchShape& shape);

} // namespace forewarp::analysis
