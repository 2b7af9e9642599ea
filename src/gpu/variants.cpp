#include "gpu/variants.h"

namespace forewarp::gpu {

Machine without_l1(Machine machine) {
  machine.memory.l1_caches_global = false;
  if (machine.memory.l1_pass_rule != L1PassRule::half_warp_segments)
    machine.memory.l1_pass_rule = L1PassRule::lines;
  return machine;
}

} // namespace forewarp::gpu
