#include "frontend/passes/loops/assembler_unrolling.h"

#include "ir/address_spaces.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <utility>

namespace forewarp::frontend {

namespace {

using llvm::Instruction;

constexpr unsigned repeats = 4;
constexpr unsigned most_operations = 22;             ///< beside memory accesses, of all copies together
constexpr unsigned most_operations_with_shared = 35; ///< where the loop loads from shared memory
// of loops with a known number of iterations, all instructions:
constexpr unsigned most_in_full = 400;   ///< of a loop that goes away
constexpr unsigned aim_of_known = 200;   ///< what copies come to
constexpr unsigned most_of_known = 68;   ///< of a body that is repeated
constexpr unsigned latch_operations = 3; ///< counter, compare, branch

// of ptxas 7.5, instructions of all copies together:
constexpr unsigned most_by_accesses = 350;          ///< sm_35, iterations of an unknown number
constexpr unsigned most_in_full_by_accesses = 1100; ///< sm_35, of a loop that goes away
constexpr unsigned most_of_four = 200;              ///< sm_52

struct Body {
  unsigned operations = 0; ///< of one iteration, without memory accesses and induction
  unsigned accesses = 0;
  unsigned additions = 0; ///< to pointers: of one iteration, where the distance is known at run time only
  std::set<std::pair<const llvm::SCEV*, const llvm::SCEV*>> streams; ///< base and distance of the pointers
  bool loads_shared = false;
  bool hinders = false; ///< an atomic, volatile or uncounted access, at which older assemblers do not mind
};

bool counts_with(const llvm::SCEV* value, const llvm::Loop& loop) {
  const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value);
  return recurrence && recurrence->getLoop() == &loop;
}

bool is_induction(const Instruction& instruction, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (!evolution.isSCEVable(instruction.getType()))
    return false;
  const llvm::SCEV* value = evolution.getSCEV(const_cast<Instruction*>(&instruction));
  return counts_with(value, loop) || evolution.isLoopInvariant(value, &loop);
}

/// Part of a multiply-add.
bool is_contracted(const Instruction& instruction) {
  if (instruction.getOpcode() != Instruction::FMul || !instruction.hasOneUse() ||
      !instruction.hasAllowContract())
    return false;
  const auto* user = llvm::cast<Instruction>(instruction.user_back());
  return user->getOpcode() == Instruction::FAdd || user->getOpcode() == Instruction::FSub;
}

/// An unsigned 32-bit index that may wrap: the compiler keeps the counter for it and compares a sum, in
/// which the assembler does not see the count.
bool keeps_counter(const llvm::SCEV* address, const llvm::Loop& loop) {
  return llvm::SCEVExprContains(address, [&](const llvm::SCEV* part) {
    const auto* extended = llvm::dyn_cast<llvm::SCEVZeroExtendExpr>(part);
    return extended && llvm::SCEVExprContains(extended->getOperand(), [&](const llvm::SCEV* inner) {
             return counts_with(inner, loop);
           });
  });
}

void count_access(const Instruction& access, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
                  Body& body) {
  ++body.accesses;
  body.hinders |= access.isVolatile() || access.isAtomic();
  const llvm::SCEV* address =
      evolution.getSCEV(const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&access)));
  if (!counts_with(address, loop)) {
    body.hinders |= keeps_counter(address, loop);
    return;
  }
  const llvm::SCEV* step = llvm::cast<llvm::SCEVAddRecExpr>(address)->getStepRecurrence(evolution);
  if (body.streams.emplace(evolution.getPointerBase(address), step).second &&
      !llvm::isa<llvm::SCEVConstant>(step))
    ++body.additions;
}

/// False: the assembler leaves loops with such an instruction.
bool count(const Instruction& instruction, const llvm::Loop& loop, llvm::ScalarEvolution& evolution,
           Body& body) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    body.loads_shared |= load->getPointerAddressSpace() == ir::shared_space;
  if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
    count_access(instruction, loop, evolution, body);
    return true;
  }
  if (llvm::isa<llvm::AtomicRMWInst>(instruction)) {
    ++body.accesses;
    body.hinders = true;
    return true;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
    if (!intrinsic)
      return false;
    if (intrinsic->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0)
      return true;
    body.operations += !intrinsic->isAssumeLikeIntrinsic();
    return !intrinsic->isConvergent();
  }
  if (instruction.isAtomic() || llvm::isa<llvm::InvokeInst>(instruction))
    return false;
  const bool free =
      llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::CastInst, llvm::ExtractElementInst,
                llvm::InsertElementInst, llvm::ExtractValueInst>(instruction) ||
      instruction.isTerminator() || is_contracted(instruction) || is_induction(instruction, loop, evolution);
  body.operations += !free;
  return true;
}

unsigned copies_of_known(unsigned trips, unsigned instructions) {
  if (trips * instructions <= most_in_full)
    return trips;
  return instructions <= most_of_known ? std::max(repeats, std::bit_floor(aim_of_known / instructions)) : 1;
}

/// Becomes code with a branch, or a call: divisions by what is no constant, and square roots.
bool becomes_branches(const Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    return call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0 ||
           (call->getIntrinsicID() == llvm::Intrinsic::sqrt && !call->hasApproxFunc());
  if (instruction.isIntDivRem())
    return !llvm::isa<llvm::Constant>(instruction.getOperand(1));
  return instruction.getOpcode() == Instruction::FDiv && !instruction.hasApproxFunc() &&
         !instruction.hasAllowReciprocal();
}

/// Nothing where the assembler leaves the loop.
std::optional<Body> body_of(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  if (loop.getNumBlocks() != 1 || !loop.getExitingBlock() ||
      llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop)))
    return std::nullopt;
  Body body;
  for (const Instruction& instruction : *loop.getHeader())
    if (!count(instruction, loop, evolution, body))
      return std::nullopt;
  const auto* exit = llvm::cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
  const auto* compare = llvm::dyn_cast<Instruction>(exit->getCondition());
  if (compare && !is_induction(*compare, loop, evolution))
    --body.operations; // among `latch_operations`
  return body;
}

} // namespace

unsigned assembler_copies(const llvm::Loop& loop, unsigned copies, llvm::ScalarEvolution& evolution) {
  const std::optional<Body> found = body_of(loop, evolution);
  if (!found || found->hinders)
    return 1;
  const Body& body = *found;
  const auto streams = static_cast<unsigned>(body.streams.size());
  const unsigned operations = copies * (body.operations + body.additions) + streams + latch_operations;
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (trips > 1 && trips % copies == 0)
    return copies_of_known(trips / copies, operations + copies * body.accesses);
  // It adds the distance up from copy to copy; copies made here would keep a register for each multiple of
  // it.
  if (body.additions > 0)
    return 1;
  const unsigned most = body.loads_shared ? most_operations_with_shared : most_operations;
  return operations <= most ? repeats : 1;
}

unsigned older_assembler_copies(const llvm::Loop& loop, unsigned copies, bool by_accesses,
                                llvm::ScalarEvolution& evolution) {
  const std::optional<Body> body = body_of(loop, evolution);
  if (!body || std::any_of(loop.getHeader()->begin(), loop.getHeader()->end(), becomes_branches))
    return 1;
  const unsigned instructions = copies * (body->operations + body->accesses);
  const unsigned trips = evolution.getSmallConstantTripCount(&loop);
  if (!by_accesses)
    return trips == 0 && repeats * instructions <= most_of_four ? repeats : 1;
  if (trips > 1 && trips % copies == 0 &&
      trips / copies * (instructions + latch_operations) <= most_in_full_by_accesses)
    return trips / copies;
  const unsigned accesses = copies * body->accesses;
  unsigned again = accesses == 0 ? 1 : accesses == 1 ? 4 : 2;
  while (again > 1 && again * instructions > most_by_accesses)
    again /= 2;
  return again;
}

} // namespace forewarp::frontend
