#include "simt/outside.h"

#include <algorithm>
#include <bit>

namespace forewarp::simt {
namespace {

bool is_inside(MemoryMap& memory, std::uint64_t address, std::uint32_t width_bytes) {
  const Region* region = memory.find(address);
  return region != nullptr && address + std::max(1U, width_bytes) <= region->info.base + region->size_bytes;
}

} // namespace

std::uint64_t lanes_outside(GroupState& state, const MemoryOp& op, const std::uint64_t* addresses,
                            std::uint32_t origin) {
  if (!state.options.outside_reads_zero)
    return 0;
  std::uint64_t outside = 0;
  if (op.uniform_address) {
    outside = is_inside(state.memory, addresses[0], op.width_bytes) ? 0 : state.active;
  } else {
    for (std::uint64_t rest = state.active; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<unsigned>(std::countr_zero(rest));
      if (!is_inside(state.memory, addresses[l], op.width_bytes))
        outside |= std::uint64_t{1} << l;
    }
  }
  if (outside != 0)
    state.note_once(facts::Note::Severity::assumption, origin,
                    "some work-items access what lies in no buffer: they read zero and write nothing",
                    "give the arguments, or --out-of-bounds fault to be told where");
  return outside;
}

bool give_zeros(GroupState& state, const MemoryOp& op, std::uint64_t lanes) {
  for (const MemoryComponent& c : op.components) {
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1)
      state.set_lane_bits(c.slot, c.type, static_cast<unsigned>(std::countr_zero(rest)), 0);
    state.known(c.slot) |= lanes;
  }
  return true;
}

} // namespace forewarp::simt
