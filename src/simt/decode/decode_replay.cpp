// Replayable loops in terms of slots.
#include "simt/decode/decoder.h"

#include "ir/machine_markers.h"

#include <llvm/IR/Module.h>

namespace forewarp::simt {
namespace {

LoopReplay::Stay stay_of(llvm::CmpInst::Predicate predicate) {
  using Predicate = llvm::CmpInst::Predicate;
  using Stay = LoopReplay::Stay;
  switch (predicate) {
  case Predicate::ICMP_SLT:
  case Predicate::ICMP_ULT:
    return Stay::below;
  case Predicate::ICMP_SLE:
  case Predicate::ICMP_ULE:
    return Stay::below_or_equal;
  case Predicate::ICMP_SGT:
  case Predicate::ICMP_UGT:
    return Stay::above;
  case Predicate::ICMP_SGE:
  case Predicate::ICMP_UGE:
    return Stay::above_or_equal;
  case Predicate::ICMP_NE:
    return Stay::unequal;
  default:
    return Stay::never_known;
  }
}

} // namespace

void Decoder::describe_replays() {
  program_.replays.resize(program_.loops);
  // Machine code counts its loops in other ways (down, in steps of the unrolling, tested before the step):
  // what replays assume was not shown for them, so each iteration is run.
  if (module_.module().getNamedMetadata(ir::machine_markers::cubin) != nullptr)
    return;
  for (const ReplayableLoop& loop : replayable_loops(function_)) {
    const auto index = loop_of_header_.find(loop.header);
    if (index != loop_of_header_.end())
      describe_replay(loop, program_.replays[index->second]);
  }
}

void Decoder::describe_replay(const ReplayableLoop& loop, LoopReplay& out) {
  for (const llvm::Value* value : {loop.moving, loop.bound})
    if (!llvm::isa<llvm::Constant>(value) && values_.find(value) == values_.end())
      return; // in a block that is never reached
  const auto same_in_all_lanes = [&](const llvm::Value* value) {
    return llvm::isa<llvm::Constant>(value) || uniformity_.uniform(value);
  };
  for (const llvm::PHINode* phi : loop.inductions)
    out.inductions.push_back({slot(phi), leaves(phi->getType()).front().lane, uniformity_.uniform(phi)});
  out.width = static_cast<std::uint8_t>(integer_width(loop.moving->getType()));
  out.is_signed = llvm::CmpInst::isSigned(loop.stay);
  out.latch = block_index_[loop.latch];
  out.moving = slot(loop.moving);
  out.bound = slot(loop.bound);
  out.moving_uniform = same_in_all_lanes(loop.moving);
  out.bound_uniform = same_in_all_lanes(loop.bound);
  out.stay = error_ ? LoopReplay::Stay::never_known : stay_of(loop.stay);
}

} // namespace forewarp::simt
