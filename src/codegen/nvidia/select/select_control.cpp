// Branches, predication, and the moves that phis need.
#include "codegen/nvidia/select/lowering.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

#include <bit>

namespace forewarp::codegen {

using facts::no_value;

namespace {

/// Longest body, in IR instructions that are not mere addresses, that the assembler still runs under a
/// predicate instead of branching around it (seen with ptxas 13.0, sm_75 to sm_90;
/// docs/models/machine_code/README.md).
constexpr long predicated_body_limit = 8;

bool is_address(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::SExtInst, llvm::ZExtInst>(instruction);
}

long operations_beside_addresses(const llvm::BasicBlock& block) {
  return llvm::count_if(block.instructionsWithoutDebug(),
                        [](const llvm::Instruction& i) { return !is_address(i); });
}

bool may_be_predicated(const llvm::BasicBlock& block) {
  if (operations_beside_addresses(block) > predicated_body_limit)
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

/// Where `head` branches to if not to `successor`; null where it does not choose between two blocks.
const llvm::BasicBlock* other_successor(const llvm::BasicBlock& head, const llvm::BasicBlock& successor) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(head.getTerminator());
  if (!branch || !branch->isConditional())
    return nullptr;
  return branch->getSuccessor(branch->getSuccessor(0) == &successor ? 1 : 0);
}

/// Arithmetic alone, which the vendor's compiler joins into one condition (ptxas 13.0: 2-D convolution, point
/// in polygon). Conditions that load are branched around.
bool is_cheap_condition(const llvm::BasicBlock& block) {
  return llvm::none_of(block, [](const llvm::Instruction& i) { return i.mayReadOrWriteMemory(); });
}

bool only_returns(const llvm::BasicBlock& block) {
  const llvm::Instruction* last = block.getTerminator();
  return llvm::isa<llvm::ReturnInst>(last) && &*block.instructionsWithoutDebug().begin() == last;
}

} // namespace

bool Lowering::is_divergent_loop(const llvm::Loop& loop) const {
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const llvm::BasicBlock* block : exiting)
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        branch && branch->isConditional() && divergence_.is_divergent(branch->getCondition()))
      return true;
  return false;
}

/// Forward branch that lanes may disagree on, with a join before the end of the kernel.
bool Lowering::needs_reconvergence(const llvm::BranchInst& branch) const {
  if (!divergence_.is_divergent(branch.getCondition()))
    return false;
  const llvm::BasicBlock* block = branch.getParent();
  const llvm::Loop* loop = loops_.getLoopFor(block);
  if (loop && loop->isLoopExiting(block))
    return false; // the loop's own
  const auto* node = post_dominators_.getNode(block);
  const llvm::BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  return join && !only_returns(*join);
}

/// Volta and later: BSYNC where a divergent branch joins or a divergent loop ends, BSSY before the loop.
/// Earlier generations push and pop the same points (SSY, SYNC).
void Lowering::reconverge_at(const llvm::BasicBlock& block) {
  location_ = {};
  uniform_ = false;
  if (only_returns(block))
    return;
  for (const llvm::BasicBlock* predecessor : llvm::predecessors(&block)) {
    const llvm::Loop* left = loops_.getLoopFor(predecessor);
    if (left && !left->contains(&block) && is_divergent_loop(*left)) {
      emit_void(OpClass::branch, {});
      emit_void(OpClass::branch, {});
      break;
    }
  }
  for (const llvm::BasicBlock& other : function_) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(other.getTerminator());
    if (!branch || !branch->isConditional() || !needs_reconvergence(*branch))
      continue;
    const auto* node = post_dominators_.getNode(&other);
    if (node->getIDom()->getBlock() != &block)
      continue;
    bool predicated = false;
    for (const llvm::BasicBlock* successor : llvm::successors(&other))
      predicated = predicated || is_predicated(*successor) || only_returns(*successor);
    if (!predicated)
      emit_void(OpClass::branch, {});
  }
}

/// A short block between a branch and its join (if-then), or one that only returns. A warp none of whose
/// lanes enter it issues its operations all the same: finish_predicated_bodies.
bool Lowering::is_predicated(const llvm::BasicBlock& block) const {
  const llvm::BasicBlock* head = block.getSinglePredecessor();
  if (!head || !may_be_predicated(block))
    return false;
  const llvm::BasicBlock* other = other_successor(*head, block);
  const llvm::BasicBlock* join = block.getSingleSuccessor();
  if (!join)
    return other && is_further_condition(block, *other);
  if (!other || head == join)
    return false;
  return other == join || (other->getSinglePredecessor() == head && other->getSingleSuccessor() == join &&
                           may_be_predicated(*other));
}

/// `if (a && b)` as two branches to one join: the second condition is computed under the first's predicate.
bool Lowering::is_further_condition(const llvm::BasicBlock& block, const llvm::BasicBlock& join) const {
  return is_cheap_condition(block) &&
         llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock* body) {
           return body != &join && other_successor(block, *body) == &join && is_predicated(*body);
         });
}

/// Counts the body, and those behind it where it is a further condition.
void Lowering::count_predicated(const llvm::BasicBlock& body, const llvm::BasicBlock& join,
                                facts::PassedBody& passed) const {
  passed.add(program_->blocks[block_index_.lookup(&body)]);
  if (!body.getSingleSuccessor())
    for (const llvm::BasicBlock* next : llvm::successors(&body))
      if (next != &join && is_predicated(*next))
        count_predicated(*next, join, passed);
}

/// The first register of a branch's condition; no_value: constant.
std::uint32_t Lowering::condition_of(const llvm::BasicBlock& head) {
  llvm::SmallVector<std::uint32_t, 8> registers;
  collect(llvm::cast<llvm::BranchInst>(head.getTerminator())->getCondition(), registers);
  return registers.empty() ? no_value : registers.front();
}

llvm::BitVector Lowering::predicated_blocks() const {
  llvm::BitVector blocks(static_cast<unsigned>(function_.size()));
  for (const llvm::BasicBlock& block : function_)
    if (is_predicated(block))
      blocks.set(block_index_.lookup(&block));
  return blocks;
}

/// Operations of a predicated body wait for its predicate, whether lanes are active in it or not.
void Lowering::finish_predicated_bodies() {
  for (const llvm::BasicBlock& body : function_) {
    facts::MachineBlock& made = program_->blocks[block_index_.lookup(&body)];
    if (!is_predicated(body) || made.ops.empty())
      continue;
    const llvm::BasicBlock& head = *body.getSinglePredecessor();
    const std::uint32_t condition = condition_of(head);
    if (condition != no_value)
      guards_.push_back(condition);
    for (facts::MachineOp& op : made.ops)
      if (condition != no_value && op.source_count < op.sources.size())
        op.sources[op.source_count++] = condition;
    const llvm::BasicBlock& other = *other_successor(head, body);
    const llvm::BasicBlock& join = body.getSingleSuccessor() ? *body.getSingleSuccessor() : other;
    facts::PassedBody passed = {.previous_block = block_index_.lookup(&head),
                                .condition = condition,
                                .location = made.ops.front().location};
    count_predicated(body, join, passed);
    if (&other != &join) { // if-then-else: the other body ran
      passed.before_block = passed.previous_block;
      passed.previous_block = block_index_.lookup(&other);
    }
    program_->blocks[block_index_.lookup(&join)].passed.push_back(passed);
  }
}

bool Lowering::falls_through(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const {
  return to.getSinglePredecessor() == &from || from.getNextNode() == &to || is_predicated(from);
}

void Lowering::select_terminator(const llvm::Instruction& terminator) {
  uniform_ = false;
  if (llvm::isa<llvm::ReturnInst>(terminator)) {
    emit_void(OpClass::branch, {});
    return;
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (branch->isUnconditional()) {
      if (!falls_through(*terminator.getParent(), *branch->getSuccessor(0)))
        emit_void(OpClass::branch, {});
      return;
    }
    if (is_engine_branch(*branch))
      return;
    bool predicated = false, leaves = false;
    for (const llvm::BasicBlock* successor : llvm::successors(&terminator)) {
      predicated = predicated || is_predicated(*successor);
      leaves = leaves || only_returns(*successor);
    }
    if (predicated && !leaves)
      return;
    if (nvidia_ && !leaves && needs_reconvergence(*branch))
      emit_void(OpClass::nop, {}); // names the point of reconvergence: nothing waits for it
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
