// The lane kernels per instruction set. The larger sets exist on x86-64 only; sanitizer builds use the
// baseline alone.
#pragma once

#include "simt/lanes/lane_kernels.h"

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FOREWARP_LANE_CLONES 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#undef FOREWARP_LANE_CLONES
#endif
#endif

namespace forewarp::simt {
namespace lanes_baseline {
LaneKernel find(LaneOp op);
}
#ifdef FOREWARP_LANE_CLONES
namespace lanes_v3 {
LaneKernel find(LaneOp op);
}
namespace lanes_v4 {
LaneKernel find(LaneOp op);
}
#endif
} // namespace forewarp::simt
