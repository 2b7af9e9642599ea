// Branches, predication, and the moves that phis need.
#include "codegen/lowering.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include <bit>

namespace forewarp::codegen {

using facts::no_value;

namespace {

/// Longest body, in IR instructions, that the assembler still runs under a predicate instead of branching
/// around it (seen with ptxas 13.0, sm_75 to sm_90; docs/machine_step.md).
constexpr long predicated_body_limit = 8;

bool may_be_predicated(const llvm::BasicBlock& block) {
  if (block.sizeWithoutDebug() > predicated_body_limit)
    return false;
  for (const llvm::Instruction& instruction : block) {
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (call->isConvergent() || !llvm::isa<llvm::IntrinsicInst>(call))
        return false;
    switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
    case llvm::Instruction::FDiv:
    case llvm::Instruction::Fence:
      return false;
    default:
      break;
    }
  }
  return true;
}

} // namespace

/// A short block between a branch and its join (if-then), or one that only returns. Its operations stay in
/// the block: a warp none of whose lanes enter it does not issue them here, though predicated hardware code
/// would.
bool Lowering::is_predicated(const llvm::BasicBlock& block) const {
  const llvm::BasicBlock* head = block.getSinglePredecessor();
  const llvm::BasicBlock* join = block.getSingleSuccessor();
  if (!head || !join || head == join || !may_be_predicated(block))
    return false;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(head->getTerminator());
  if (!branch || !branch->isConditional())
    return false;
  const llvm::BasicBlock* other =
      branch->getSuccessor(0) == &block ? branch->getSuccessor(1) : branch->getSuccessor(0);
  if (other == join)
    return true;
  return other->getSinglePredecessor() == head && other->getSingleSuccessor() == join &&
         may_be_predicated(*other);
}

bool Lowering::falls_through(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  return to.getSinglePredecessor() == &from || from.getNextNode() == &to || is_predicated(from);
}

void Lowering::select_terminator(const llvm::Instruction& terminator) {
  uniform_ = false;
  if (llvm::isa<llvm::ReturnInst>(terminator)) {
    // a return that a conditional branch leads to is that branch, predicated
    const llvm::BasicBlock* block = terminator.getParent();
    const llvm::BasicBlock* head = block->getSinglePredecessor();
    const bool merged = nvidia_ && block->sizeWithoutDebug() == 1 && head &&
                        llvm::cast<llvm::Instruction>(head->getTerminator())->getNumSuccessors() == 2;
    if (!merged)
      emit_void(OpClass::branch, {});
    return;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (branch->isUnconditional()) {
      if (!falls_through(*terminator.getParent(), *branch->getSuccessor(0)))
        emit_void(OpClass::branch, {});
      return;
    }
    for (const llvm::BasicBlock* successor : llvm::successors(&terminator))
      if (is_predicated(*successor))
        return;
    llvm::SmallVector<std::uint32_t, 8> condition;
    collect(branch->getCondition(), condition);
    emit_void(OpClass::branch, condition);
    return;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) {
    llvm::SmallVector<std::uint32_t, 8> value;
    collect(choice->getCondition(), value);
    // a binary tree of compares
    const unsigned levels = std::max(1U, static_cast<unsigned>(std::bit_width(choice->getNumCases())));
    for (unsigned level = 0; level < levels; ++level) {
      const std::uint32_t predicate =
          emit(OpClass::int_minmax_cmp, value, llvm::Type::getInt1Ty(terminator.getContext()));
      emit_void(OpClass::branch, {predicate});
    }
  }
}

/// Constants and parameters that enter a phi are moved into its register.
void Lowering::phi_moves(const llvm::BasicBlock& block) {
  location_ = {};
  uniform_ = false;
  for (const llvm::BasicBlock* successor : llvm::successors(&block))
    for (const llvm::PHINode& phi : successor->phis()) {
      const llvm::Value* incoming = phi.getIncomingValueForBlock(&block);
      if (llvm::isa<llvm::UndefValue>(incoming) || bits(phi.getType()) == 1)
        continue;
      const Registers from = registers_of(incoming), to = registers_of(&phi);
      for (std::size_t c = 0; c < to.size(); ++c)
        if (from[std::min(c, from.size() - 1)] == no_value) {
          emit_void(OpClass::move, {});
          if (bits(phi.getType()) == 64 && nvidia_ && !llvm::isa<llvm::Constant>(incoming))
            emit_void(OpClass::move, {});
        }
    }
}

} // namespace forewarp::codegen
