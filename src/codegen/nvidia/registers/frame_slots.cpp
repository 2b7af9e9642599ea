#include "codegen/nvidia/registers/frame_slots.h"

#include <algorithm>

namespace forewarp::codegen {

using facts::MachineOp;
using facts::OpClass;

namespace {

/// A store ends what a slot held before; a load needs what it holds.
void step_back(const MachineOp& op, llvm::BitVector& needed) {
  const auto slot = static_cast<unsigned>(op.offset_bytes);
  if (op.op == OpClass::store_local)
    needed.reset(slot);
  else
    needed.set(slot);
}

/// Slots whose contents are needed behind each block (backward data flow).
std::vector<llvm::BitVector> needed_behind(const facts::MachineProgram& program, const Flow& flow,
                                           unsigned slots) {
  std::vector<llvm::BitVector> in(program.blocks.size(), llvm::BitVector(slots)), out = in;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = program.blocks.size(); b-- > 0;) {
      for (const std::uint32_t next : flow.successors[b])
        out[b] |= in[next];
      llvm::BitVector needed = out[b];
      for (auto op = program.blocks[b].ops.rbegin(); op != program.blocks[b].ops.rend(); ++op)
        if (is_frame_access(*op))
          step_back(*op, needed);
      changed |= needed != in[b];
      in[b] = std::move(needed);
    }
  }
  return out;
}

/// By slot: those that it may not share bytes with.
std::vector<llvm::BitVector> conflicts(const facts::MachineProgram& program, const Flow& flow,
                                       unsigned slots) {
  std::vector<llvm::BitVector> against(slots, llvm::BitVector(slots)),
      out = needed_behind(program, flow, slots);
  const auto meet = [&](unsigned slot, const llvm::BitVector& others) {
    against[slot] |= others;
    for (const unsigned other : others.set_bits())
      against[other].set(slot);
  };
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    llvm::BitVector needed = out[b];
    for (auto op = program.blocks[b].ops.rbegin(); op != program.blocks[b].ops.rend(); ++op)
      if (is_frame_access(*op)) {
        if (op->op == OpClass::store_local)
          meet(static_cast<unsigned>(op->offset_bytes), needed);
        step_back(*op, needed);
      }
    if (b == 0)
      for (const unsigned slot : needed.set_bits()) // filled ahead of the program
        meet(slot, needed);
  }
  return against;
}

} // namespace

bool is_frame_access(const MachineOp& op) {
  return op.site == facts::no_value && (op.op == OpClass::load_local || op.op == OpClass::store_local);
}

std::int32_t share_slots(facts::MachineProgram& program, const Flow& flow,
                         const std::vector<std::uint16_t>& slot_bytes) {
  const auto slots = static_cast<unsigned>(slot_bytes.size());
  if (slots == 0)
    return 0;
  const std::vector<llvm::BitVector> against = conflicts(program, flow, slots);
  std::vector<std::int32_t> offset(slots);
  std::int32_t frame = 0;
  for (unsigned slot = 0; slot < slots; ++slot) {
    const std::int32_t bytes = slot_bytes[slot];
    std::vector<std::pair<std::int32_t, std::int32_t>> taken; // from, to
    for (const unsigned other : against[slot].set_bits())
      if (other < slot)
        taken.emplace_back(offset[other], offset[other] + slot_bytes[other]);
    std::sort(taken.begin(), taken.end());
    std::int32_t place = 0;
    for (const auto& [from, to] : taken)
      if (from < place + bytes && to > place)
        place = (to + bytes - 1) / bytes * bytes;
    offset[slot] = place;
    frame = std::max(frame, place + bytes);
  }
  for (facts::MachineBlock& block : program.blocks)
    for (MachineOp& op : block.ops)
      if (is_frame_access(op))
        op.offset_bytes = offset[static_cast<unsigned>(op.offset_bytes)];
  return frame;
}

} // namespace forewarp::codegen
