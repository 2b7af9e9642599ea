// The kernel that stores an array transposed: 32 x 32 elements at a time through shared memory, padded by a
// column so that no bank is asked twice.
#pragma once

#include "gpu/machine.h"
#include "port/estimate/version.h"

#include <cstdint>

namespace forewarp::port {

/// As a version like any other. Borders that fill no tile count as whole tiles.
Version transposition_kernel(const gpu::Machine& machine, std::uint64_t rows, std::uint64_t columns,
                             unsigned element_bytes);

} // namespace forewarp::port
