#include "simt/analysis/uniformity.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>

namespace forewarp::simt {
namespace {

/// Calls whose result is the same in all lanes when their operands are.
bool is_uniform_call(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee)
    return false;
  llvm::StringRef name = callee->getName();
  static constexpr std::array divergent = {
      "llvm.nvvm.read.ptx.sreg.tid.",
      "llvm.nvvm.read.ptx.sreg.laneid",
      "llvm.nvvm.read.ptx.sreg.lanemask",
      "llvm.nvvm.read.ptx.sreg.clock",
      "llvm.nvvm.read.ptx.sreg.globaltimer",
      "llvm.amdgcn.workitem.id.",
      "llvm.amdgcn.mbcnt",
      "llvm.amdgcn.ds.bpermute",
      "llvm.amdgcn.ds.permute",
      "llvm.amdgcn.ds.swizzle",
      "forewarp.item.lane",
      "forewarp.warp.",
      "forewarp.group.",
      "forewarp.image.read.",
      "forewarp.matrix.",
      "llvm.nvvm.shfl",
      "llvm.nvvm.vote",
      "llvm.nvvm.match",
      "llvm.nvvm.redux",
      "llvm.nvvm.atomic",
      "llvm.nvvm.tex",
      "llvm.nvvm.suld",
      "llvm.nvvm.activemask",
      "llvm.nvvm.wmma",
      "llvm.nvvm.mma",
      "forewarp.mma.",
      "forewarp.wgmma.",
      "forewarp.tensor_memory.",
      "llvm.amdgcn.mfma.",
      "llvm.amdgcn.smfmac.",
      "llvm.amdgcn.wmma.",
      "llvm.nvvm.barrier0.",
      "llvm.amdgcn.ballot",
      "llvm.nvvm.elect",
      "llvm.readcyclecounter",
      "llvm.amdgcn.update.dpp",
      "llvm.amdgcn.mov.dpp",
  };
  for (const char* prefix : divergent)
    if (name.starts_with(prefix))
      return false;
  return callee->isIntrinsic() || name.starts_with("forewarp.");
}

bool is_source_of_divergence(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return !call->getType()->isVoidTy() && !is_uniform_call(*call);
  return llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::AllocaInst>(instruction);
}

/// The result's slots are slots of operands.
bool is_rearrangement(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::InsertElementInst, llvm::ExtractElementInst, llvm::ShuffleVectorInst,
                   llvm::InsertValueInst, llvm::ExtractValueInst, llvm::BitCastInst, llvm::AddrSpaceCastInst,
                   llvm::FreezeInst, llvm::PtrToIntInst, llvm::IntToPtrInst, llvm::TruncInst>(instruction) ||
         llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction);
}

using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

BlockSet reachable_before(const llvm::BasicBlock* start, const llvm::BasicBlock* stop) {
  BlockSet seen;
  llvm::SmallVector<const llvm::BasicBlock*, 16> todo;
  if (start != stop) {
    seen.insert(start);
    todo.push_back(start);
  }
  while (!todo.empty()) {
    const llvm::BasicBlock* block = todo.pop_back_val();
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (next != stop && seen.insert(next).second)
        todo.push_back(next);
  }
  return seen;
}

using InstructionSet = llvm::DenseSet<const llvm::Instruction*>;

/// `seen`: a chain of x = fma(x, x, s) has 2^n ways and n values.
bool used_outside(const llvm::Instruction& value, const llvm::BasicBlock* block, InstructionSet& seen) {
  if (!seen.insert(&value).second)
    return false;
  for (const llvm::Use& use : value.uses()) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
      if (phi->getIncomingBlock(use) != block)
        return true;
    } else if (user->getParent() != block) {
      return true;
    } else if (is_rearrangement(*user) && used_outside(*user, block, seen)) {
      return true;
    }
  }
  return false;
}

bool used_outside(const llvm::Instruction& value, const llvm::BasicBlock* block) {
  InstructionSet seen;
  return used_outside(value, block, seen);
}

} // namespace

Uniformity::Uniformity(const llvm::Function& function) : function_(function) {
  auto& mutable_function = const_cast<llvm::Function&>(function); // the analyses do not change it
  dominators_ = std::make_unique<llvm::DominatorTree>(mutable_function);
  post_dominators_ = std::make_unique<llvm::PostDominatorTree>(mutable_function);
  loops_ = std::make_unique<llvm::LoopInfo>(*dominators_);
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (is_source_of_divergence(instruction))
        mark(&instruction);
  while (!worklist_.empty()) {
    const llvm::Value* value = worklist_.pop_back_val();
    for (const llvm::User* user : value->users()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction->isTerminator())
        spread_control(instruction->getParent());
      else if (!instruction->getType()->isVoidTy())
        mark(instruction);
    }
  }
}

void Uniformity::mark(const llvm::Value* value) {
  if (divergent_.insert(value).second)
    worklist_.push_back(value);
}

const llvm::BasicBlock* Uniformity::reconvergence_of(const llvm::BasicBlock* block) const {
  const auto* node = post_dominators_->getNode(block);
  if (!node || !node->getIDom())
    return nullptr;
  return node->getIDom()->getBlock();
}

void Uniformity::mark_outside_uses(const llvm::Loop& loop) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block)
      for (const llvm::User* user : instruction.users())
        if (!loop.contains(llvm::cast<llvm::Instruction>(user)->getParent()))
          mark(&instruction);
}

void Uniformity::spread_control(const llvm::BasicBlock* branch) {
  const llvm::BasicBlock* join = reconvergence_of(branch);
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> sides;
  bool cycles = false;
  for (const llvm::BasicBlock* successor : llvm::successors(branch)) {
    const BlockSet side = reachable_before(successor, join);
    cycles = cycles || side.contains(branch);
    for (const llvm::BasicBlock* block : side)
      ++sides[block];
  }
  const llvm::Loop* left = nullptr; // outermost loop around the branch that the join is outside of
  for (const llvm::Loop* loop = loops_->getLoopFor(branch); loop; loop = loop->getParentLoop())
    if (!join || !loop->contains(join))
      left = loop;
  if (left)
    mark_outside_uses(*left);
  const bool irregular = cycles && !left;
  for (const llvm::BasicBlock& block : function_) {
    auto found = sides.find(&block);
    const bool meets = &block == join || (found != sides.end() && found->second > 1);
    const bool repeated = meets || (irregular && found != sides.end());
    if (!meets && !repeated)
      continue;
    for (const llvm::Instruction& instruction : block) {
      if (llvm::isa<llvm::PHINode>(instruction))
        mark(&instruction);
      else if (&block != join && loops_->getLoopFor(&block) && used_outside(instruction, &block))
        mark(&instruction);
    }
  }
}

bool Uniformity::needs_preserve(const llvm::Instruction& instruction) const {
  // A lane outside the mask reads its old value only where the write is repeated (a cycle) and the reader
  // lies in another block: within a block all lanes that started it go on together.
  return loops_->getLoopFor(instruction.getParent()) && used_outside(instruction, instruction.getParent());
}

bool Uniformity::read_by_lanes(const llvm::Value* value) const {
  for (const llvm::User* user : value->users()) {
    const auto* instruction = llvm::cast<llvm::Instruction>(user);
    if (!uniform(instruction) || instruction->getType()->isVoidTy() || is_rearrangement(*instruction) ||
        llvm::isa<llvm::PHINode>(instruction))
      return true;
    if (llvm::isa<llvm::LoadInst>(instruction) && !uniform(instruction))
      return true;
  }
  return false;
}

} // namespace forewarp::simt
