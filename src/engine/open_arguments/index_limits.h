// Which whole-number parameters say how far the launch reaches, read off the kernel's IR.
#pragma once

#include "facts/launch.h"
#include "ir/kernel_module.h"

#include <cstdint>
#include <map>
#include <utility>

namespace forewarp::engine {

/// A parameter's position, and the bytes before the field of a struct that it is (0 elsewhere).
using ParameterPlace = std::pair<std::size_t, std::uint64_t>;

/// Parameter's place -> the number of work-items that it stands for in a launch of this shape.
/// A parameter is found where a value that is made of the work-item's index (group and local index,
/// constants, casts; the start of a loop that begins at such an index) is compared with it, or is multiplied
/// by it. Not found: limits that come from memory, and limits that other arithmetic hides.
std::map<ParameterPlace, std::uint64_t> index_limits(const ir::KernelModule& module,
                                                     const ir::KernelSignature& kernel,
                                                     const facts::LaunchShape& shape);

} // namespace forewarp::engine
