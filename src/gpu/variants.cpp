#include "gpu/variants.h"

namespace forewarp::gpu {

Machine without_l1(Machine machine) {
  machine.memory.l1_caches_global = false;
  return machine;
}

} // namespace forewarp::gpu
