#include "simt/outside.h"

#include <algorithm>
#include <bit>

namespace forewarp::simt {
namespace {

bool reaches(const Region* region, std::uint64_t address, std::uint32_t width_bytes) {
  return region != nullptr && address + std::max(1U, width_bytes) <= region->info.base + region->size_bytes;
}

/// Private arrays of all lanes lie behind one another: a lane has its own only.
bool is_inside(const GroupState& state, std::uint64_t address, std::uint32_t width_bytes, unsigned lane) {
  const Region* region = state.memory.find(address);
  if (!reaches(region, address, width_bytes))
    return false;
  if (region != state.local_region)
    return true;
  const std::uint64_t frame = region->size_bytes / state.lanes();
  const std::uint64_t first = region->info.base + lane * frame;
  return address >= first && address + std::max(1U, width_bytes) <= first + frame;
}

/// Nearly all accesses: all in one region, and that is not the lanes' own.
bool are_in_one_region(const GroupState& state, const MemoryOp& op, const std::uint64_t* addresses) {
  std::uint64_t low = addresses[0], high = addresses[0];
  if (!op.uniform_address) {
    low = ~std::uint64_t{0}, high = 0;
    for (std::uint64_t rest = state.active; rest != 0; rest &= rest - 1) {
      const std::uint64_t address = addresses[std::countr_zero(rest)];
      low = std::min(low, address), high = std::max(high, address);
    }
  }
  const Region* region = state.memory.find(low);
  return (op.uniform_address || region != state.local_region) && reaches(region, high, op.width_bytes);
}

} // namespace

std::uint64_t lanes_outside(GroupState& state, const MemoryOp& op, const std::uint64_t* addresses,
                            std::uint32_t origin) {
  const bool allowed = state.options.outside_reads_zero;
  const std::uint64_t free = allowed ? state.active : state.active & state.warp->assumed;
  if (free == 0 || are_in_one_region(state, op, addresses))
    return 0;
  std::uint64_t outside = 0;
  for (std::uint64_t rest = free; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(std::countr_zero(rest));
    if (op.uniform_address || !is_inside(state, addresses[l], op.width_bytes, l))
      outside |= std::uint64_t{1} << l;
  }
  if (outside == 0)
    return 0;
  if (allowed) {
    state.note_once(facts::Note::Severity::assumption, origin,
                    "some work-items access what lies in no buffer: they read zero and write nothing",
                    "give the arguments, or --out-of-bounds fault to be told where");
    return outside;
  }
  state.warp->overran |= outside;
  state.note_once(facts::Note::Severity::assumption, origin,
                  "behind a branch or trip count that is assumed, some work-items access what lies in no "
                  "buffer: they read what is unknown and write nothing, and an assumed loop ends there",
                  "--branch LINE=P, --trip-count LINE=N, or the contents of the buffers that it rests on");
  return outside;
}

bool give_outside(GroupState& state, const MemoryOp& op, std::uint64_t lanes) {
  if (!state.options.outside_reads_zero) {
    state.set_unknown(op, lanes);
    return true;
  }
  for (const MemoryComponent& c : op.components) {
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1)
      state.set_lane_bits(c.slot, c.type, static_cast<unsigned>(std::countr_zero(rest)), 0);
    state.known(c.slot) |= lanes;
  }
  return true;
}

} // namespace forewarp::simt
