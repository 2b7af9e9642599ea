#include "frontend/passes/loops/unroll_loops.h"

#include "frontend/passes/compiler_generation.h"
#include "frontend/passes/loops/assembler_unrolling.h"
#include "frontend/passes/loops/hidden_end.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CodeMetrics.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include <bit>
#include <optional>
#include <string>
#include <vector>

namespace forewarp::frontend {

namespace {

constexpr unsigned runtime_copies = 4;
constexpr unsigned most_operations = 200;
constexpr unsigned latch_operations =
    2; // LLVM's count of a loop's compare and branch: once a loop, however unrolled
/// LLVM's limit of full unrolling until 2017 (now 300): size of the rolled loop times its iterations.
constexpr unsigned most_operations_until_2017 = 150, most_operations_in_full = 300;
/// Of loops whose number of iterations is known at run time only (cicc 13.0, loops of ours of 1 to 126).
constexpr unsigned most_iterations_left = 20;      ///< outermost ones that may run so often have no copies
constexpr unsigned most_iterations_of_pragma = 64; ///< under `#pragma unroll`, in full

struct Analyses {
  llvm::LoopInfo& loops;
  llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
  llvm::AssumptionCache& assumptions;
  llvm::TargetTransformInfo& target;
  llvm::OptimizationRemarkEmitter& remarks;
};

bool has_unroll_pragma(const llvm::Loop& loop) {
  const llvm::MDNode* id = loop.getLoopID();
  if (id == nullptr)
    return false;
  for (unsigned i = 1; i < id->getNumOperands(); ++i)
    if (const auto* node = llvm::dyn_cast<llvm::MDNode>(id->getOperand(i)))
      if (const auto* name = llvm::dyn_cast<llvm::MDString>(node->getOperand(0)))
        if (name->getString().starts_with("llvm.loop.unroll."))
          return true;
  return false;
}

/// On loops whose pragma the compiler takes as no more than its own rules, but for the assembler: it leaves
/// them.
constexpr const char* asked_for = "forewarp.unroll.asked_for";

/// Before LLVM's full unrolling. Where the number of iterations is known at run time only, NVIDIA's compiler
/// unrolls what may run few times, each copy with its own end; elsewhere `#pragma unroll` changes nothing.
struct SettlePragmas : llvm::PassInfoMixin<SettlePragmas> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
    llvm::Function& function = *loop.getHeader()->getParent();
    if (!function.getParent()->getTargetTriple().starts_with("nvptx") ||
        !llvm::getBooleanLoopAttribute(&loop, "llvm.loop.unroll.enable") ||
        analyses.SE.getSmallConstantTripCount(&loop) != 0)
      return llvm::PreservedAnalyses::all();
    llvm::LLVMContext& context = function.getContext();
    const auto word = [&](const char* name) { return llvm::MDString::get(context, name); };
    llvm::MDNode* mark = llvm::MDNode::get(context, word(asked_for));
    if (const unsigned most = analyses.SE.getSmallConstantMaxTripCount(&loop);
        most > 0 && most <= most_iterations_of_pragma) {
      llvm::Type* number = llvm::Type::getInt32Ty(context);
      mark =
          llvm::MDNode::get(context, {word("llvm.loop.unroll.count"),
                                      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(number, most))});
    }
    loop.setLoopID(
        llvm::makePostTransformationMetadata(context, loop.getLoopID(), {"llvm.loop.unroll."}, {mark}));
    return llvm::PreservedAnalyses::all();
  }
};

/// On loops around a loop of a known count that comes to more than LLVM's old limit: it goes away only once
/// the compiler has passed the loop around it, of which it makes no copies (NVRTC 10.1, 11.5 and 12.9, 25
/// loops of ours: tiles of 16 in shared memory, not of 14).
constexpr const char* around_long = "forewarp.unroll.around_long";

struct NoteLongLoops : llvm::PassInfoMixin<NoteLongLoops> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
    llvm::Loop* around = loop.getParentLoop();
    if (around == nullptr || !loop.isInnermost() || has_unroll_pragma(loop) ||
        !loop.getHeader()->getParent()->getParent()->getTargetTriple().starts_with("nvptx"))
      return llvm::PreservedAnalyses::all();
    const llvm::SmallPtrSet<const llvm::Value*, 4> none;
    const llvm::UnrollCostEstimator size(&loop, analyses.TTI, none, latch_operations);
    const std::uint64_t trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (trips * size.getRolledLoopSize() > most_operations_until_2017)
      llvm::addStringMetadataToLoop(around, around_long, 1);
    return llvm::PreservedAnalyses::all();
  }
};

void note_difference(llvm::Function& function, const LoopRule& rule) {
  function.addFnAttr(rule.mark);
}

bool is_for_nvidia(const llvm::Function& function) {
  return function.getParent()->getTargetTriple().starts_with("nvptx");
}

/// Kepler's code is of compilers whose LLVM unrolled less in full. Of loops around loops only: innermost ones
/// went further there, too (tiles of 32 multiply-adds, PTX of CUDA 8). Counters of LU perimeter on three
/// Kepler boards (558 shared loads and 304 stores a warp) say so; on Maxwell its rows are unrolled whole.
class LeaveOuterLoops : public llvm::PassInfoMixin<LeaveOuterLoops> {
public:
  explicit LeaveOuterLoops(const CompilerGeneration& compiler) : compiler_(compiler) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
    llvm::Function& function = *loop.getHeader()->getParent();
    if (!is_for_nvidia(function) || loop.isInnermost() || has_unroll_pragma(loop))
      return llvm::PreservedAnalyses::all();
    const llvm::SmallPtrSet<const llvm::Value*, 4> none;
    const llvm::UnrollCostEstimator size(&loop, analyses.TTI, none, latch_operations);
    const std::uint64_t trips = analyses.SE.getSmallConstantTripCount(&loop);
    if (trips * size.getRolledLoopSize() <= most_operations_until_2017)
      return llvm::PreservedAnalyses::all();
    note_difference(function, nests_rule);
    if (!compiler_.unrolls_nests)
      loop.setLoopAlreadyUnrolled();
    return llvm::PreservedAnalyses::all();
  }

private:
  const CompilerGeneration& compiler_;
};

/// One test ends the loop, and neither of its sides grows in equal steps; yet LLVM finds the number of
/// iterations, by going through them.
bool counts_in_powers(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::BasicBlock* exiting = loop.getExitingBlock();
  const auto* branch =
      exiting != nullptr ? llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator()) : nullptr;
  const auto* test = branch != nullptr && branch->isConditional()
                         ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                         : nullptr;
  if (test == nullptr || evolution.getSmallConstantTripCount(&loop) == 0)
    return false;
  return llvm::none_of(test->operands(), [&](const llvm::Use& side) {
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(side.get()));
    return steps != nullptr && steps->getLoop() == &loop;
  });
}

/// The compiler of compute capability 1.x is Open64, whose loop optimiser takes loops that count in equal
/// steps (its DO loops); others stay as they are written.
class LeavePowers : public llvm::PassInfoMixin<LeavePowers> {
public:
  explicit LeavePowers(const CompilerGeneration& compiler) : compiler_(compiler) {}
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager&,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater&) {
    llvm::Function& function = *loop.getHeader()->getParent();
    if (is_for_nvidia(function) && !has_unroll_pragma(loop) && counts_in_powers(loop, analyses.SE)) {
      note_difference(function, powers_rule);
      if (!compiler_.unrolls_powers)
        loop.setLoopAlreadyUnrolled();
    }
    return llvm::PreservedAnalyses::all();
  }

private:
  const CompilerGeneration& compiler_;
};

/// Of a loop whose number of iterations is known at run time only.
unsigned copies_at_run_time(const llvm::Loop& loop, Analyses& analyses) {
  const unsigned most = analyses.evolution.getSmallConstantMaxTripCount(&loop);
  if (most == 0)
    return runtime_copies;
  if (loop.getParentLoop() == nullptr)
    return most <= most_iterations_left ? 1 : runtime_copies;
  return most > runtime_copies / 2 ? runtime_copies : most;
}

/// LLVM's rule until 2018 or so: as many as divide the number of iterations and come to 150 operations
/// (PTX of NVRTC 7.5, 9.1 and 10.1: 25 of 100, 23 of 69, one of 101; that of 11.5 goes by powers of two).
unsigned copies_that_divide(unsigned trips, std::uint64_t operations) {
  unsigned copies = std::min(trips, static_cast<unsigned>((most_operations_until_2017 - latch_operations) /
                                                          (operations - latch_operations)));
  while (copies > 1 && trips % copies != 0)
    --copies;
  return std::max(copies, 1U);
}

unsigned copies_of(const llvm::Loop& loop, const CompilerGeneration& compiler, Analyses& analyses) {
  const llvm::SmallPtrSet<const llvm::Value*, 4> none;
  const llvm::UnrollCostEstimator size(&loop, analyses.target, none, latch_operations);
  if (size.NumInlineCandidates > 0)
    return 1;
  const std::uint64_t operations = size.getRolledLoopSize();
  const auto fits = [&](unsigned copies) {
    return (operations - latch_operations) * copies + latch_operations <= most_operations;
  };
  const unsigned trips = analyses.evolution.getSmallConstantTripCount(&loop);
  note_difference(*loop.getHeader()->getParent(), trips == 0 ? unknown_rule : known_rule);
  if (trips == 0 && (!compiler.copies_unknown || llvm::getBooleanLoopAttribute(&loop, around_long)))
    return 1;
  if (trips > 1 && !compiler.copies_powers)
    return copies_that_divide(trips, operations);
  unsigned copies = trips == 0 ? copies_at_run_time(loop, analyses) : runtime_copies;
  if (trips > 1 && trips % 2 == 0)
    copies = 1U << std::countr_zero(trips);
  while (copies > 1 && !fits(copies))
    copies /= 2;
  return copies;
}

/// The trip count is a quotient by a step that is known at run time only.
bool divides(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::SCEV* count = evolution.getBackedgeTakenCount(&loop);
  return !llvm::isa<llvm::SCEVCouldNotCompute>(count) &&
         llvm::SCEVExprContains(count, [](const llvm::SCEV* part) {
           const auto* quotient = llvm::dyn_cast<llvm::SCEVUDivExpr>(part);
           return quotient != nullptr && !llvm::isa<llvm::SCEVConstant>(quotient->getRHS());
         });
}

/// The start may lie behind the end (`i` from the work-item's number in strides of the grid).
bool may_not_begin(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  return llvm::SCEVExprContains(evolution.getBackedgeTakenCount(&loop),
                                [](const llvm::SCEV* part) { return llvm::isa<llvm::SCEVMinMaxExpr>(part); });
}

/// Atomics, barriers, exchanges and volatile accesses, of which an older LLVM does not know that the program
/// goes on behind them.
bool may_stop(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call->mayHaveSideEffects() || call->isConvergent();
  return instruction.isAtomic() || instruction.isVolatile();
}

/// `i < n` where the source adds signed numbers, which do not overflow (`i += stride` with an int or a long
/// stride).
bool adds_a_signed_stride(const llvm::Loop& loop) {
  const llvm::BasicBlock* latch = loop.getExitingBlock();
  if (latch == nullptr || latch != loop.getLoopLatch())
    return false;
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto* compare = branch ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (compare == nullptr)
    return false;
  const auto moves = [&](const llvm::Value* value) {
    const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return sum != nullptr && loop.contains(sum) && sum->getOpcode() == llvm::Instruction::Add &&
           sum->hasNoSignedWrap();
  };
  using Predicate = llvm::ICmpInst::Predicate;
  const Predicate predicate = compare->getPredicate();
  return (moves(compare->getOperand(0)) &&
          (predicate == Predicate::ICMP_SLT || predicate == Predicate::ICMP_SGE)) ||
         (moves(compare->getOperand(1)) &&
          (predicate == Predicate::ICMP_SGT || predicate == Predicate::ICMP_SLE));
}

/// The division is made once, in front of the loops around.
bool count_stays(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::Loop* around = loop.getParentLoop();
  return around == nullptr || evolution.isLoopInvariant(evolution.getBackedgeTakenCount(&loop), around);
}

/// NVRTC 11.8 to 12.9 and cicc 13.0 divide for the count of these loops and copy their bodies. Where an
/// operand is unsigned (`i += blockDim.x`), at `i <= n`, at `i -= stride` and at a `break` they do not.
bool divides_for_count(llvm::Loop& loop, const CompilerGeneration& compiler,
                       llvm::ScalarEvolution& evolution) {
  if (!divides(loop, evolution))
    return true;
  if (!count_stays(loop, evolution))
    return false;
  if (!may_not_begin(loop, evolution))
    return true;
  const auto stops = [](const llvm::BasicBlock* block) { return llvm::any_of(*block, may_stop); };
  if (!adds_a_signed_stride(loop) || llvm::any_of(loop.blocks(), stops))
    return false;
  note_difference(*loop.getHeader()->getParent(), strides_rule);
  return compiler.unrolls_strides;
}

/// Copies the body; a loop of its own, which is given back, does what is left.
struct Copied {
  llvm::LoopUnrollResult result = llvm::LoopUnrollResult::Unmodified;
  llvm::Loop* rest = nullptr;
};

Copied copy_body(llvm::Loop& loop, unsigned copies, bool unroll_rest, const CompilerGeneration& compiler,
                 Analyses& analyses) {
  Copied copied;
  if (copies <= 1)
    return copied;
  const llvm::UnrollLoopOptions options{.Count = copies,
                                        .Force = false,
                                        .Runtime = true,
                                        .AllowExpensiveTripCount =
                                            divides_for_count(loop, compiler, analyses.evolution),
                                        .UnrollRemainder = unroll_rest,
                                        .ForgetAllSCEV = true};
  std::optional<HiddenEnd> hidden;
  if (analyses.evolution.getSmallConstantTripCount(&loop) == 0 &&
      analyses.evolution.getSmallConstantMaxTripCount(&loop) != 0)
    hidden.emplace(loop, analyses.evolution);
  copied.result =
      llvm::UnrollLoop(&loop, options, &analyses.loops, &analyses.evolution, &analyses.dominators,
                       &analyses.assumptions, &analyses.target, &analyses.remarks, true, &copied.rest);
  return copied;
}

/// LLVM's barriers may end the program, so that the trip count of a loop with strides does not follow from
/// the absence of overflow. The compiler takes it so, and leaves the loop; the assembler knows better.
void let_barriers_return(const std::vector<llvm::CallBase*>& barriers, llvm::Loop& loop,
                         llvm::ScalarEvolution& evolution) {
  for (llvm::CallBase* barrier : barriers)
    barrier->addFnAttr(llvm::Attribute::WillReturn);
  evolution.forgetLoop(&loop);
}

std::vector<llvm::CallBase*> barriers_in(const llvm::Loop& loop) {
  std::vector<llvm::CallBase*> barriers;
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0)
        barriers.push_back(call);
  return barriers;
}

unsigned copies_of_assembler(llvm::Loop& loop, unsigned copies, bool counted,
                             const CompilerGeneration& compiler, Analyses& analyses) {
  const Repeats rule = compiler.repeats;
  if (rule == Repeats::never || llvm::getBooleanLoopAttribute(&loop, asked_for))
    return 1;
  if (rule != Repeats::short_loops)
    return counted ? older_assembler_copies(loop, copies, rule == Repeats::by_accesses, analyses.evolution)
                   : 1;
  if (!counted)
    let_barriers_return(barriers_in(loop), loop, analyses.evolution);
  const unsigned trips = analyses.evolution.getSmallConstantTripCount(&loop);
  const unsigned again = assembler_copies(loop, copies, analyses.evolution);
  // ptxas 9.1 and 10.1 make what is left of a known count whole or not at all.
  return trips == 0 || compiler.copies_powers || again * copies == trips ? again : 1;
}

/// LLVM unrolls the rest of an inner loop since August 2017; the code of Kepler and Maxwell is older (LU
/// diagonal and perimeter: 2365 and 2659 instructions a warp on Kepler; 2402 and 2736 with a loop for the
/// rest, 2188 and 2538 without one).
/// `compiles`: the compiler copies its loops, too, not the assembler alone.
void unroll(llvm::Loop& loop, const CompilerGeneration& compiler, bool compiles, Analyses& analyses) {
  const bool counted = !llvm::isa<llvm::SCEVCouldNotCompute>(analyses.evolution.getBackedgeTakenCount(&loop));
  const unsigned copies = counted && compiles ? copies_of(loop, compiler, analyses) : 1;
  note_difference(*loop.getHeader()->getParent(), repeats_rule);
  const bool dear = divides(loop, analyses.evolution) && may_not_begin(loop, analyses.evolution);
  const unsigned again = dear ? 1 : copies_of_assembler(loop, copies, counted, compiler, analyses);
  if (loop.getParentLoop() != nullptr && copies * again > 1)
    note_difference(*loop.getHeader()->getParent(), rests_rule);
  const bool unroll_rest = loop.getParentLoop() != nullptr && compiler.unrolls_rests;
  const Copied whole = copy_body(loop, copies * again, unroll_rest && again == 1, compiler, analyses);
  if (whole.result != llvm::LoopUnrollResult::FullyUnrolled)
    loop.setLoopAlreadyUnrolled();
  if (whole.rest == nullptr)
    return;
  if (again > 1) { // the compiler's loop stays for what the assembler's leaves
    const Copied rest = copy_body(*whole.rest, copies, unroll_rest, compiler, analyses);
    if (rest.rest != nullptr)
      rest.rest->setLoopAlreadyUnrolled();
    if (rest.result == llvm::LoopUnrollResult::FullyUnrolled)
      return;
  }
  whole.rest->setLoopAlreadyUnrolled();
}

/// A loop around a loop goes away whole or stays one (NVRTC 11.8 and 12.9); LLVM 19 would copy it, too.
void leave_unless_whole(llvm::Loop& loop, Analyses& analyses) {
  const llvm::SmallPtrSet<const llvm::Value*, 4> none;
  const llvm::UnrollCostEstimator size(&loop, analyses.target, none, latch_operations);
  const std::uint64_t trips = analyses.evolution.getSmallConstantTripCount(&loop);
  if (trips == 0 || trips * size.getRolledLoopSize() > most_operations_in_full)
    loop.setLoopAlreadyUnrolled();
}

llvm::PreservedAnalyses unroll_all(llvm::Function& function, llvm::FunctionAnalysisManager& manager,
                                   const CompilerGeneration& compiler, bool compiles) {
  if (!is_for_nvidia(function))
    return llvm::PreservedAnalyses::all();
  Analyses analyses{manager.getResult<llvm::LoopAnalysis>(function),
                    manager.getResult<llvm::DominatorTreeAnalysis>(function),
                    manager.getResult<llvm::ScalarEvolutionAnalysis>(function),
                    manager.getResult<llvm::AssumptionAnalysis>(function),
                    manager.getResult<llvm::TargetIRAnalysis>(function),
                    manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function)};
  for (llvm::Loop* loop : analyses.loops) {
    llvm::simplifyLoop(loop, &analyses.dominators, &analyses.loops, &analyses.evolution,
                       &analyses.assumptions, nullptr, false);
    llvm::formLCSSARecursively(*loop, analyses.dominators, &analyses.loops, &analyses.evolution);
  }
  const auto loops = analyses.loops.getLoopsInPreorder();
  if (!loops.empty())
    note_difference(function, ids_rule);
  for (llvm::Loop* loop : loops)
    if (compiles && !loop->isInnermost() && !has_unroll_pragma(*loop))
      leave_unless_whole(*loop, analyses);
  for (llvm::Loop* loop : loops)
    if (loop->isInnermost() && !has_unroll_pragma(*loop))
      unroll(*loop, compiler, compiles, analyses);
  return llvm::PreservedAnalyses::none();
}

class UnrollLoops : public llvm::PassInfoMixin<UnrollLoops> {
public:
  explicit UnrollLoops(const CompilerGeneration& compiler) : compiler_(compiler) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager) {
    return unroll_all(function, manager, compiler_, true);
  }

private:
  const CompilerGeneration& compiler_;
};

} // namespace

llvm::PreservedAnalyses AssemblerUnrolling::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager& manager) {
  return unroll_all(function, manager, compiler, false);
}

void add_loop_unrolling(llvm::PassBuilder& builder, const CompilerGeneration& compiler) {
  builder.registerLateLoopOptimizationsEPCallback(
      [&compiler](llvm::LoopPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(SettlePragmas());
        passes.addPass(NoteLongLoops());
        passes.addPass(LeaveOuterLoops(compiler));
        passes.addPass(LeavePowers(compiler));
      });
  builder.registerVectorizerStartEPCallback(
      [&compiler](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
        passes.addPass(UnrollLoops(compiler));
      });
}

} // namespace forewarp::frontend
