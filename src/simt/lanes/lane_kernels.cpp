// Choice of the lane kernels by what the processor can do.
#include "simt/lanes/lane_kernels.h"

#include "simt/lanes/lane_kernel_tables.h"

namespace forewarp::simt {

#ifdef FOREWARP_LANE_CLONES

namespace {

/// Of x86-64.
int level() {
  static const int best = __builtin_cpu_supports("x86-64-v4")   ? 4
                          : __builtin_cpu_supports("x86-64-v3") ? 3
                                                                : 1;
  return best;
}

} // namespace

LaneKernel lane_kernel(LaneOp op) {
  if (level() == 4)
    return lanes_v4::find(op);
  if (level() == 3)
    return lanes_v3::find(op);
  return lanes_baseline::find(op);
}

#else

LaneKernel lane_kernel(LaneOp op) {
  return lanes_baseline::find(op);
}

#endif

} // namespace forewarp::simt
