// Where accesses go in groups that are not run, for kernels that take the group's index apart
// (`tile = index / columns`, `index % columns`, clamped ends): what few sampled groups show is then no line.
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"

#include <cstdint>
#include <vector>

namespace forewarp::simt {

/// By memory site (ir::number) and group (x fastest): bytes from some place common to all groups to the
/// access of work-item 0 in the first iteration of the loops around it. Empty: the address is a plain sum of
/// multiples of the index, or does not depend on it; rests on memory, on an argument that is not given or on
/// a branch; or the grid is too large (2^25 operations in all).
std::vector<std::vector<std::int64_t>> group_places(const ir::KernelModule& module,
                                                    const ir::KernelSignature& kernel,
                                                    const facts::Launch& launch,
                                                    const facts::LaunchShape& shape);

} // namespace forewarp::simt
