#include "facts/machine_program.h"

#include <algorithm>

namespace forewarp::facts {

void PassedBody::add(const MachineBlock& block) {
  for (const MachineOp& op : block.ops) {
    operations += op.fills ? 0 : 1;
    accesses += !op.fills && is_memory(op.op) ? 1 : 0;
  }
}

const PassedBody* bodies_passed(const MachineBlock& block, const WarpTrace& warp, std::size_t step) {
  if (block.passed.empty() || step == 0)
    return nullptr;
  const std::uint32_t previous = warp.steps[step - 1].block;
  const std::uint32_t before = step > 1 ? warp.steps[step - 2].block : no_value;
  for (const PassedBody& body : block.passed)
    if (body.previous_block == previous && (body.before_block == no_value || body.before_block == before))
      return &body;
  return nullptr;
}

bool MachineProgram::has_controls() const {
  for (const MachineBlock& block : blocks)
    if (!block.ops.empty())
      return !block.controls.empty();
  return false;
}

} // namespace forewarp::facts
