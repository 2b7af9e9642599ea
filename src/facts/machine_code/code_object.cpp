#include "facts/machine_code/code_object.h"

#include <algorithm>

namespace forewarp::facts {

std::map<OpClass, std::uint64_t> CodeObjectKernel::counts() const {
  std::map<OpClass, std::uint64_t> counts;
  for (const CodeObjectLine& line : lines)
    if (line.op)
      ++counts[*line.op];
  return counts;
}

/// `.vgpr_count` holds the AGPRs too where both are one file (gfx90a and later); elsewhere the two lie side
/// by side.
ResourceUse CodeObjectKernel::resources() const {
  ResourceUse use;
  use.registers_per_thread = std::max(vgprs, agprs);
  use.scalar_registers = sgprs;
  use.static_shared_bytes = lds_bytes;
  use.local_bytes_per_thread = scratch_bytes;
  use.source = "code object";
  return use;
}

} // namespace forewarp::facts
