// Lane kernels for the instruction set that the compiler was asked for.
#include "simt/lanes/lane_kernels.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "simt/lanes/lane_kernel_tables.h"

#ifndef __clang__
#pragma GCC optimize("O3", "fp-contract=off", "no-strict-aliasing")
#endif
namespace forewarp::simt::lanes_baseline {
namespace {
#include "simt/lanes/lane_kernels.inc"
} // namespace

LaneKernel find(LaneOp op) {
  return table[static_cast<std::size_t>(op)];
}
} // namespace forewarp::simt::lanes_baseline
