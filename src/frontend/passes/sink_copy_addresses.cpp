#include "frontend/passes/sink_copy_addresses.h"

#include "ir/address_spaces.h"
#include "ir/builtins.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace forewarp::frontend {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

bool is_copy(const Instruction& instruction) {
  return llvm::isa<llvm::LoadInst>(instruction) &&
         instruction.hasMetadata(llvm::StringRef(ir::builtins::async_copy));
}

bool is_arithmetic(const Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction);
}

/// A load of global memory under a predicate: `head` branches around its block `body`, `value` is the phi
/// behind.
struct IndexLoad {
  llvm::LoadInst* load = nullptr;
  llvm::PHINode* value = nullptr;
  BasicBlock *head = nullptr, *body = nullptr;
};

bool loads_index(const llvm::LoadInst& load) {
  return load.getPointerAddressSpace() == ir::global_space && !is_copy(load) && load.getType()->isIntegerTy();
}

/// One load and what makes its address.
bool only_loads(const BasicBlock& body) {
  unsigned loads = 0;
  for (const Instruction& instruction : body)
    if (llvm::isa<llvm::LoadInst>(instruction))
      ++loads;
    else if (!is_arithmetic(instruction) && !instruction.isTerminator())
      return false;
  return loads == 1;
}

/// The load whose value a phi takes under a predicate, and a constant elsewhere.
bool is_predicated(llvm::PHINode& phi, IndexLoad& found) {
  if (phi.getNumIncomingValues() != 2)
    return false;
  for (unsigned i = 0; i < 2; ++i) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(phi.getIncomingValue(i));
    BasicBlock *body = phi.getIncomingBlock(i), *head = phi.getIncomingBlock(1 - i);
    if (!load || load->getParent() != body || !load->hasOneUse() || !loads_index(*load) ||
        !only_loads(*body) || body->getSinglePredecessor() != head ||
        !llvm::isa<llvm::Constant>(phi.getIncomingValue(1 - i)))
      continue;
    found = {load, &phi, head, body};
    return true;
  }
  return false;
}

/// What makes a copy's address of one load.
struct Address {
  IndexLoad index;
  llvm::SetVector<Instruction*> made; ///< of the load's value, each only for the others and the copy
};

/// Walks from the copy's address back. Fails where two loads meet, or what is found has other users.
class AddressOf {
public:
  explicit AddressOf(llvm::LoadInst& copy) : copy_(copy) {}

  std::optional<Address> find() {
    auto* pointer = llvm::dyn_cast<Instruction>(copy_.getPointerOperand());
    if (!pointer || !reaches_load(*pointer) || !found_.index.load || !used_here_alone(*found_.index.value))
      return {};
    for (Instruction* instruction : found_.made)
      if (!used_here_alone(*instruction))
        return {};
    return std::move(found_);
  }

private:
  /// Whether a value is made of a load; false also where it cannot be told.
  bool reaches_load(Instruction& value) {
    IndexLoad index;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value); phi && is_predicated(*phi, index))
      return take(index);
    if (!is_arithmetic(value))
      return false;
    bool reaches = false;
    for (llvm::Value* operand : value.operands())
      if (auto* made = llvm::dyn_cast<Instruction>(operand))
        reaches = reaches_load(*made) || reaches;
    if (reaches)
      found_.made.insert(&value);
    return reaches;
  }
  bool take(const IndexLoad& index) {
    several_ = several_ || (found_.index.load && found_.index.load != index.load);
    found_.index = index;
    return true;
  }
  bool used_here_alone(const Instruction& value) const {
    return !several_ && std::all_of(value.user_begin(), value.user_end(), [&](const llvm::User* user) {
      return user == &copy_ || found_.made.contains(const_cast<Instruction*>(llvm::cast<Instruction>(user)));
    });
  }

  llvm::LoadInst& copy_;
  Address found_;
  bool several_ = false;
};

/// The block in which two ways out of `block` meet again; the next where there is one way; null: neither.
BasicBlock* block_behind(BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch)
    return nullptr;
  if (branch->isUnconditional())
    return branch->getSuccessor(0);
  BasicBlock *a = branch->getSuccessor(0), *b = branch->getSuccessor(1);
  const auto leads_to = [&](BasicBlock* body, BasicBlock* join) {
    return body->getSinglePredecessor() == &block && body->getSingleSuccessor() == join;
  };
  return leads_to(a, b)                                           ? b
         : leads_to(b, a) || leads_to(b, a->getSingleSuccessor()) ? b->getSingleSuccessor()
                                                                  : nullptr;
}

/// What a load of global memory may pass: all but what may write there or orders memory.
bool may_be_passed(const Instruction& instruction) {
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerAddressSpace() == ir::shared_space;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_cp_async_commit_group)
    return true;
  return llvm::isa<llvm::LoadInst>(instruction) || !instruction.mayReadOrWriteMemory();
}

bool may_be_passed(const BasicBlock& block) {
  return std::all_of(block.begin(), block.end(), [](const Instruction& i) { return may_be_passed(i); });
}

/// Whether `to` is run right after `from`, each once, with nothing between that the load may not pass.
bool leads_straight(BasicBlock* from, BasicBlock* to) {
  for (unsigned steps = 0; from && from != to && steps < 4096; ++steps) {
    if (!may_be_passed(*from))
      return false;
    for (BasicBlock* body : llvm::successors(from))
      if (body != block_behind(*from) && !may_be_passed(*body))
        return false;
    from = block_behind(*from);
  }
  return from == to && from;
}

/// Where the copy's predicate is decided, or the copy itself.
Instruction* place_of(llvm::LoadInst& copy) {
  BasicBlock* before = copy.getParent()->getSinglePredecessor();
  return before && block_behind(*before) && before->getTerminator()->getNumSuccessors() == 2
             ? before->getTerminator()
             : &copy;
}

/// The branch around the load's block goes from where it was to before `place`, whose block is split there.
void move_branch(const IndexLoad& index, Instruction* place) {
  BasicBlock *from = place->getParent(), *join = index.value->getParent();
  BasicBlock* behind = llvm::SplitBlock(from, place);
  auto* around = llvm::cast<llvm::BranchInst>(index.head->getTerminator());
  Instruction* moved = around->clone();
  llvm::ReplaceInstWithInst(from->getTerminator(), moved);
  llvm::ReplaceInstWithInst(around, llvm::BranchInst::Create(join));
  moved->replaceSuccessorWith(join, behind);
  index.body->getTerminator()->replaceSuccessorWith(join, behind);
  index.body->moveAfter(from);
  index.value->moveBefore(*behind, behind->begin());
  index.value->replaceIncomingBlockWith(index.head, from);
  llvm::MergeBlockIntoPredecessor(join);
}

bool sink(llvm::LoadInst& copy) {
  const std::optional<Address> address = AddressOf(copy).find();
  if (!address)
    return false;
  const IndexLoad& index = address->index;
  Instruction* place = place_of(copy);
  BasicBlock* join = index.value->getParent();
  if (!leads_straight(join, place->getParent()) || std::next(join->phis().begin()) != join->phis().end())
    return false;
  move_branch(index, place);
  for (Instruction* instruction : address->made)
    instruction->moveBefore(place);
  return true;
}

} // namespace

void sink_copy_addresses(llvm::Function& function) {
  std::vector<llvm::LoadInst*> copies; // in loops
  {
    const llvm::DominatorTree tree(function);
    const llvm::LoopInfo loops(tree);
    for (Instruction& instruction : llvm::instructions(function))
      if (is_copy(instruction) && loops.getLoopFor(instruction.getParent()))
        copies.push_back(llvm::cast<llvm::LoadInst>(&instruction));
  }
  for (llvm::LoadInst* copy : copies)
    sink(*copy);
}

} // namespace forewarp::frontend
