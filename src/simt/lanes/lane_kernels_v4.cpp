// Lane kernels for x86-64-v4 (AVX-512).
#include "simt/lanes/lane_kernels.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "simt/lanes/lane_kernel_tables.h"

#ifdef FOREWARP_LANE_CLONES
// Everything below is compiled for the larger set; headers stay above so that no shared inline function is.
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("arch=x86-64-v4"))), apply_to = function)
#else
#pragma GCC target("arch=x86-64-v4")
#pragma GCC optimize("O3", "fp-contract=off", "no-strict-aliasing")
#endif
namespace forewarp::simt::lanes_v4 {
namespace {
#include "simt/lanes/lane_kernels.inc"
} // namespace

LaneKernel find(LaneOp op) {
  return table[static_cast<std::size_t>(op)];
}
} // namespace forewarp::simt::lanes_v4
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
