// Barriers in memory, named barriers, and bulk copies, which an engine makes while the warp goes on
// (ir/builtins.h). A barrier in memory is a word of shared memory: its operations cost what accesses of one
// do. A bulk copy is an operation a piece on the side of global memory, which takes an issue slot and no
// pipe. NOT modelled: the engine's own rate, and what it takes of shared memory; arrivals of several lanes
// one after the other.
#include "codegen/nvidia/select/lowering.h"

#include "ir/builtins.h"

namespace forewarp::codegen {

void Lowering::meet(facts::Meets how) {
  facts::MachineOp& op = block_->ops.back();
  op.meets = how;
  op.meeting_site = site_index_.at(current_);
}

void Lowering::select_meeting(const llvm::CallBase& call, llvm::StringRef name) {
  using facts::Meets;
  constexpr unsigned bytes = 8;
  if (name == "gather" || name == "leave") {
    emit_void(name == "gather" ? OpClass::barrier : OpClass::nop, sources_of(call));
    return meet(name == "gather" ? Meets::arrives : Meets::waits);
  }
  if (name == "cluster_arrive" || name == "cluster_leave") {
    emit_void(name == "cluster_arrive" ? OpClass::barrier : OpClass::nop, {});
    return meet(name == "cluster_arrive" ? Meets::arrives_far : Meets::waits);
  }
  if (name.ends_with("copied")) { // once the lanes' copies have come
    emit_void(OpClass::nop, {});
    meet(Meets::arrives_late);
    return copies_.add_wait(*call.getParent(), block_->ops.size() - 1, 0);
  }
  if (name.starts_with("arrive_multiplied")) { // once the products so far are made
    emit_void(OpClass::nop, {});
    meet(Meets::arrives_late);
    return products_.add_wait(*call.getParent(), block_->ops.size() - 1, 0);
  }
  Registers results;
  const bool waits = name.starts_with("wait");
  if (!call.use_empty() || waits) // a load has a result, also one that nobody asks for
    results.push_back(new_register(call.getType()));
  emit_memory(waits || !results.empty() ? OpClass::load_shared : OpClass::store_shared, sources_of(call),
              results, bytes, 1);
  if (waits)
    meet(Meets::waits);
  else if (name != "begin" && name != "expect")
    meet(Meets::arrives);
  if (!call.getType()->isVoidTy())
    define(call, results.empty() ? Registers(1, facts::no_value) : results);
}

/// The bytes of a piece have come when its read has, in another group when its write has: there it arrives.
void Lowering::arrive_with_copy() {
  for (auto op = block_->ops.rbegin(); op != block_->ops.rend(); ++op)
    if (op->op == OpClass::load_global || op->op == OpClass::store_shared) {
      op->meets = op->op == OpClass::load_global ? facts::Meets::arrives : facts::Meets::arrives_far;
      op->meeting_site = site_index_.at(current_);
      return;
    }
}

void Lowering::select_engine(const llvm::CallBase& call, llvm::StringRef name) {
  constexpr unsigned lane_bytes = 16;
  if (name == "spread")
    return;
  if (name == "arrive")
    return arrive_with_copy();
  if (name == "more")
    return define(call, {facts::no_value});
  if (name == "commit") {
    emit_void(OpClass::nop, {}); // names the group's end: nothing waits for it
    return bulk_copies_.add_commit(*call.getParent(), block_->ops.size());
  }
  if (name.consume_front("wait.")) {
    unsigned spared = 0;
    name.consumeInteger(10, spared);
    emit_void(OpClass::fence, {});
    return bulk_copies_.add_wait(*call.getParent(), block_->ops.size() - 1, spared);
  }
  const bool inwards = name.contains(".in."), across = name.contains(".across.");
  if (inwards != name.ends_with(".read")) // the side of shared memory: the engine's own way there
    return;
  const std::uint32_t arrived = new_register(llvm::Type::getInt1Ty(call.getContext())); // takes no room
  emit_memory(inwards                      ? OpClass::load_global
              : across                     ? OpClass::store_shared
              : name.contains(".combine.") ? OpClass::atomic_global
                                           : OpClass::store_global,
              sources_of(call), {arrived}, lane_bytes, 1);
  if (!inwards && !across)
    bulk_copies_.add_load(*call.getParent(), arrived);
}

/// The branch back to a bulk copy's next piece: no warp runs it.
bool Lowering::is_engine_branch(const llvm::BranchInst& branch) {
  const auto* condition =
      branch.isConditional() ? llvm::dyn_cast<llvm::CallBase>(branch.getCondition()) : nullptr;
  return condition && condition->getCalledFunction() &&
         condition->getCalledFunction()->getName() == "forewarp.engine.more";
}

} // namespace forewarp::codegen
