#include "simt/analysis/replay_analysis.h"

#include "ir/address_spaces.h"
#include "ir/loops/induction.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <map>
#include <optional>

namespace forewarp::simt {
namespace {

/// How a value changes from one iteration of a loop to the next, at a fixed place in the iteration.
enum class Course { fixed, moving, other };

constexpr unsigned least_counter_bits = 32; ///< shorter ones wrap often: `i & 127` is one of 7 bits

bool is_barrier(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().contains("barrier");
}

/// For the compiler only: nothing is executed.
bool is_remark(const llvm::Instruction& instruction) {
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic();
}

/// Of its operands alone, in whatever iteration.
bool is_pure(const llvm::Instruction& instruction) {
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst>(
      instruction);
}

const llvm::Value* pointer_of(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->getPointerOperand();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand();
  if (const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return atomic->getPointerOperand();
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return exchange->getPointerOperand();
  return nullptr;
}

/// No store in the loop, and nobody else is told of the variable's address.
bool is_only_read_in(const llvm::AllocaInst& variable, const llvm::Loop& loop) {
  llvm::SmallVector<const llvm::Value*, 8> open = {&variable};
  while (!open.empty()) {
    const llvm::Value* pointer = open.pop_back_val();
    for (const llvm::User* user : pointer->users()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction == nullptr)
        return false;
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::BitCastInst, llvm::GetElementPtrInst>(instruction))
        open.push_back(instruction);
      else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction)) {
        if (store->getValueOperand() == pointer || loop.contains(store))
          return false;
      } else if (!llvm::isa<llvm::LoadInst>(instruction) && !is_remark(*instruction))
        return false;
    }
  }
  return true;
}

class Analysis {
public:
  explicit Analysis(llvm::Function& function)
      : function_(function), dominators_(function), loops_(dominators_), assumptions_(function),
        library_table_(llvm::Triple(function.getParent()->getTargetTriple())), library_(library_table_),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  std::vector<ReplayableLoop> run() {
    std::vector<ReplayableLoop> found;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (auto replayable = examine(*loop))
        found.push_back(std::move(*replayable));
    return found;
  }

private:
  // ---- course of a value ----
  /// `through_casts`: a sign- or zero-extended or shortened induction is taken to move on. Where it would
  /// wrap on the way, the address behind the jump is not the one that was written for it, and the replay is
  /// thrown away (LoopReplayer::check_replay): steps are equal, so that what wraps once stays wrapped.
  Course course(const llvm::SCEV* scev, const llvm::Loop& loop, bool through_casts) {
    const auto worst = [&](const auto* expression) {
      Course result = Course::fixed;
      for (const llvm::SCEV* operand : expression->operands())
        result = std::max(result, course(operand, loop, through_casts));
      return result;
    };
    if (evolution_.isLoopInvariant(scev, &loop))
      return Course::fixed;
    if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev)) {
      if (recurrence->getLoop() == &loop)
        return recurrence->isAffine() ? Course::moving : Course::other;
      return loop.contains(recurrence->getLoop()) ? worst(recurrence) : Course::other;
    }
    if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(scev))
      return worst(sum);
    if (const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(scev)) {
      unsigned moving = 0;
      for (const llvm::SCEV* operand : product->operands()) {
        const Course one = course(operand, loop, through_casts);
        if (one == Course::other)
          return Course::other;
        moving += one == Course::moving ? 1 : 0;
      }
      return moving == 0 ? Course::fixed : moving == 1 ? Course::moving : Course::other;
    }
    if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(scev))
      return course_of_unknown(unknown->getValue(), loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(scev))
      return Course::other;
    if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(scev);
        cast != nullptr && through_casts &&
        evolution_.getTypeSizeInBits(cast->getType()) >= least_counter_bits)
      return course(cast->getOperand(), loop, true);
    // Casts, divisions, minima: fixed where their operands are, nothing more is claimed.
    for (const llvm::SCEV* operand : scev->operands())
      if (course(operand, loop, through_casts) != Course::fixed)
        return Course::other;
    return Course::fixed;
  }
  Course course_of_unknown(const llvm::Value* value, const llvm::Loop& loop) {
    const auto [known, first] = is_fixed_unknown_.try_emplace({value, &loop}, false);
    if (first)
      known->second = is_fixed_unknown(value, loop);
    return known->second ? Course::fixed : Course::other;
  }
  bool is_fixed_unknown(const llvm::Value* value, const llvm::Loop& loop) {
    const auto is_fixed = [&](const llvm::Value* part) { return course_of(part, loop) == Course::fixed; };
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value))
      return reads_own(load->getPointerOperand(), loop) && is_fixed(load->getPointerOperand());
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction != nullptr && is_pure(*instruction) && llvm::all_of(instruction->operands(), is_fixed);
  }
  /// From a variable of the work-item's own that the loop only reads (`volatile int tid`).
  bool reads_own(const llvm::Value* pointer, const llvm::Loop& loop) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (variable == nullptr)
      return false;
    const auto [known, first] = only_read_.try_emplace({variable, &loop}, false);
    if (first)
      known->second = is_only_read_in(*variable, loop);
    return known->second;
  }
  Course course_of(const llvm::Value* value, const llvm::Loop& loop, bool through_casts = false) {
    if (loop.isLoopInvariant(value))
      return Course::fixed;
    if (!evolution_.isSCEVable(value->getType()))
      return Course::other;
    return course(evolution_.getSCEV(const_cast<llvm::Value*>(value)), loop, through_casts);
  }

  /// The condition takes the same value at this place in every iteration.
  bool same_every_time(const llvm::Value* condition, const llvm::Loop& loop) {
    if (loop.isLoopInvariant(condition))
      return true;
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(condition))
      return course_of(compare->getOperand(0), loop) == Course::fixed &&
             course_of(compare->getOperand(1), loop) == Course::fixed;
    if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(condition))
      return same_every_time(binary->getOperand(0), loop) && same_every_time(binary->getOperand(1), loop);
    return false;
  }

  // ---- one loop ----
  std::optional<ReplayableLoop> examine(llvm::Loop& loop) {
    ReplayableLoop out;
    out.header = loop.getHeader();
    out.latch = loop.getLoopLatch();
    if (out.latch == nullptr || loop.getExitingBlock() != out.latch || !find_exit(loop, out))
      return std::nullopt;
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block)
        if (!allowed(instruction, loop, out))
          return std::nullopt;
    llvm::DenseSet<const llvm::Value*> garbage;
    for (const llvm::PHINode& phi : loop.getHeader()->phis()) {
      const bool plain =
          phi.getType()->isPointerTy() || phi.getType()->isIntegerTy(32) || phi.getType()->isIntegerTy(64);
      if (plain && course_of(&phi, loop) == Course::moving)
        out.inductions.push_back(&phi);
      else if (course_of(&phi, loop) != Course::fixed)
        garbage.insert(&phi);
    }
    if (reaches_control_or_addresses(std::move(garbage), loop))
      return std::nullopt;
    return out;
  }

  bool find_exit(const llvm::Loop& loop, ReplayableLoop& out) {
    const auto test = ir::stay_test(*out.latch, loop);
    if (!test)
      return false;
    const llvm::ICmpInst* compare = test->compare;
    if (compare->getParent() != out.latch || !(compare->getOperand(0)->getType()->isIntegerTy(32) ||
                                               compare->getOperand(0)->getType()->isIntegerTy(64) ||
                                               compare->getOperand(0)->getType()->isPointerTy()))
      return false;
    out.stay = test->stays_where_true ? compare->getPredicate() : compare->getInversePredicate();
    out.moving = compare->getOperand(0);
    out.bound = compare->getOperand(1);
    if (course_of(out.moving, loop) == Course::fixed) {
      std::swap(out.moving, out.bound);
      out.stay = llvm::CmpInst::getSwappedPredicate(out.stay);
    }
    if (course_of(out.moving, loop) != Course::moving || !loop.isLoopInvariant(out.bound))
      return false;
    out.same_for_all_warps = from_arguments(evolution_.getSCEV(const_cast<llvm::Value*>(out.moving)), loop) &&
                             from_arguments(evolution_.getSCEV(const_cast<llvm::Value*>(out.bound)), loop);
    return true;
  }

  /// Built of constants, arguments and the loop's own induction.
  bool from_arguments(const llvm::SCEV* scev, const llvm::Loop& loop) {
    return !llvm::SCEVExprContains(scev, [&](const llvm::SCEV* part) {
      if (const auto* unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part))
        return !ir::is_of_arguments(unknown->getValue());
      if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
        return recurrence->getLoop() != &loop;
      return false;
    });
  }

  bool allowed(const llvm::Instruction& instruction, const llvm::Loop& loop, const ReplayableLoop& out) {
    if (const llvm::Value* pointer = pointer_of(instruction))
      return course_of(pointer, loop, true) != Course::other;
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction))
      return branch->isUnconditional() || branch->getParent() == out.latch ||
             same_every_time(branch->getCondition(), loop);
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (is_remark(instruction))
        return true;
      if (is_barrier(*call))
        return call->getType()->isVoidTy() && out.same_for_all_warps;
      return call->doesNotAccessMemory();
    }
    return !instruction.isTerminator() && !instruction.mayReadOrWriteMemory();
  }

  // ---- where garbage goes ----
  struct Spaces {
    llvm::SmallVector<unsigned, 4> written;
    bool add(unsigned space) {
      if (std::find(written.begin(), written.end(), space) != written.end())
        return false;
      written.push_back(space);
      return true;
    }
    bool may_hold(unsigned space) const {
      if (space == ir::constant_space || written.empty())
        return false;
      return space == ir::generic_space || std::any_of(written.begin(), written.end(), [&](unsigned s) {
               return s == space || s == ir::generic_space;
             });
    }
  };

  static unsigned space_of(const llvm::Value* pointer) {
    return pointer->getType()->getPointerAddressSpace();
  }

  bool reaches_control_or_addresses(llvm::DenseSet<const llvm::Value*> garbage, const llvm::Loop& loop) {
    Spaces spaces;
    llvm::DenseSet<const llvm::Value*> own; // variables that hold garbage, of those the loop only reads
    for (const llvm::BasicBlock* block : loop.blocks())
      for (const llvm::Instruction& instruction : *block)
        if (!llvm::isa<llvm::LoadInst>(instruction))
          if (const llvm::Value* pointer = pointer_of(instruction))
            spaces.add(space_of(pointer));
    for (bool grows = true; grows;) {
      grows = false;
      for (const llvm::BasicBlock& block : function_)
        for (const llvm::Instruction& instruction : block) {
          if (is_remark(instruction))
            continue;
          const llvm::Value* pointer = pointer_of(instruction);
          const bool reads = pointer != nullptr && !llvm::isa<llvm::StoreInst>(instruction);
          const bool is_own = pointer != nullptr && reads_own(pointer, loop);
          bool touched = reads && (is_own ? own.contains(llvm::getUnderlyingObject(pointer))
                                          : spaces.may_hold(space_of(pointer)));
          for (const llvm::Value* operand : instruction.operands())
            touched = touched || garbage.contains(operand);
          if (!touched)
            continue;
          if (instruction.isTerminator() || (pointer != nullptr && garbage.contains(pointer)))
            return true;
          if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
              call != nullptr && !call->doesNotAccessMemory())
            return true;
          if (is_own && llvm::isa<llvm::StoreInst>(instruction))
            grows |= own.insert(llvm::getUnderlyingObject(pointer)).second;
          else if (pointer != nullptr && !llvm::isa<llvm::LoadInst>(instruction))
            grows |= spaces.add(space_of(pointer));
          if (!instruction.getType()->isVoidTy())
            grows |= garbage.insert(&instruction).second;
        }
    }
    return false;
  }

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_table_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
  using InLoop = std::pair<const llvm::Value*, const llvm::Loop*>;
  std::map<InLoop, bool> only_read_, is_fixed_unknown_;
};

} // namespace

std::vector<ReplayableLoop> replayable_loops(const llvm::Function& function) {
  return Analysis(const_cast<llvm::Function&>(function)).run();
}

} // namespace forewarp::simt
