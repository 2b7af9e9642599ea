#include "port/static/affine_runs.h"

#include "port/static/describe.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <map>
#include <optional>

namespace forewarp::port {
namespace {

bool calls_nothing(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block)
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (is_operation(instruction) && !is_math_call(*call))
        return false;
  return true;
}

class Finder {
public:
  Finder(const StaticRegion& region, llvm::Function& function)
      : region_(region), tree_(function), loops_(tree_),
        library_(llvm::TargetLibraryInfoImpl(llvm::Triple(function.getParent()->getTargetTriple()))),
        library_info_(library_), assumptions_(function),
        evolution_(function, library_info_, assumptions_, tree_, loops_),
        expander_(evolution_, function.getParent()->getDataLayout(), "forewarp") {}

  void find(std::vector<AffineRun>& out) {
    for (std::uint32_t id = 0; id < region_.blocks.size(); ++id)
      ids_[region_.blocks[id]] = id;
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (loop->isInnermost() && ids_.contains(loop->getHeader()))
        if (auto run = run_of(*loop))
          out.push_back(*std::move(run));
  }

private:
  struct Plan {
    const llvm::SCEV *first = nullptr, *stride = nullptr;
  };

  std::optional<Plan> plan_of(llvm::Value* pointer, const llvm::Loop* loop) {
    const llvm::SCEV* address = evolution_.getSCEV(pointer);
    llvm::Type* word = llvm::Type::getInt64Ty(pointer->getContext());
    if (evolution_.isLoopInvariant(address, loop))
      return Plan{address, evolution_.getZero(word)};
    const auto* moving = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    if (moving == nullptr || moving->getLoop() != loop || !moving->isAffine())
      return std::nullopt;
    const llvm::SCEV* stride = moving->getStepRecurrence(evolution_);
    if (stride->getType() != word || !evolution_.isLoopInvariant(stride, loop))
      return std::nullopt;
    return Plan{moving->getStart(), stride};
  }

  std::optional<AffineRun> run_of(llvm::Loop& loop) {
    if (!loop.getLoopPreheader() || !loop.getLoopLatch())
      return std::nullopt;
    AffineRun run;
    run.header = loop.getHeader();
    run.latch = loop.getLoopLatch();
    run.preheader = loop.getLoopPreheader();
    llvm::LoopBlocksRPO order(&loop);
    order.perform(&loops_);
    run.blocks.assign(order.begin(), order.end());
    const llvm::SCEV* count = iterations_of(loop);
    run.plan.paths = run.blocks.size() > 1 || !count;
    if (!number_blocks(run, loop) || !record_sites(run, loop, run.plan.paths ? nullptr : count))
      return std::nullopt;
    return run;
  }

  /// Null: not known before the loop begins.
  const llvm::SCEV* iterations_of(const llvm::Loop& loop) {
    const llvm::SCEV* back = evolution_.getBackedgeTakenCount(&loop);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(back) || !back->getType()->isIntegerTy() ||
        evolution_.getTypeSizeInBits(back->getType()) > 64)
      return nullptr;
    llvm::Type* word = llvm::Type::getInt64Ty(loop.getHeader()->getContext());
    return evolution_.getAddExpr(evolution_.getTruncateOrZeroExtend(back, word), evolution_.getOne(word));
  }

  /// False: a block that is no block of the region, that calls something, or too many of them.
  bool number_blocks(AffineRun& run, const llvm::Loop& loop) {
    const bool one_exit = loop.getExitingBlock() == run.latch;
    int bits = 0;
    for (llvm::BasicBlock* block : run.blocks) {
      const auto id = ids_.find(block);
      if (id == ids_.end() || !calls_nothing(*block))
        return false;
      const bool always = block == run.header || (one_exit && tree_.dominates(block, run.latch));
      run.plan.blocks.push_back({id->second, always ? -1 : bits++});
      run.plan.site_count += region_.facts.blocks[id->second].site_count;
    }
    return bits < static_cast<int>(path_bits);
  }

  bool record_sites(AffineRun& run, const llvm::Loop& loop, const llvm::SCEV* count) {
    llvm::Instruction* const place = run.preheader->getTerminator();
    std::vector<std::optional<Plan>> plans;
    for (const RunPlan::Block& part : run.plan.blocks) {
      const facts::RegionBlock& block = region_.facts.blocks[part.block];
      for (std::uint32_t s = 0; s < block.site_count; ++s) {
        auto plan = plan_of(llvm::getLoadStorePointerOperand(region_.sites[block.first_site + s]), &loop);
        if (plan && (!expander_.isSafeToExpandAt(plan->first, place) ||
                     !expander_.isSafeToExpandAt(plan->stride, place)))
          plan.reset();
        if (!plan && run.plan.paths)
          return false;
        if (!plan)
          run.plan.scattered.push_back(static_cast<std::uint32_t>(plans.size()));
        plans.push_back(plan);
      }
    }
    if (count && !expander_.isSafeToExpandAt(count, place))
      return false;
    llvm::Type* word = llvm::Type::getInt64Ty(place->getContext());
    run.iterations = count ? expander_.expandCodeFor(count, word, place) : nullptr;
    for (const std::optional<Plan>& plan : plans)
      if (plan)
        run.sites.push_back({expander_.expandCodeFor(plan->first, plan->first->getType(), place),
                             expander_.expandCodeFor(plan->stride, word, place)});
      else
        run.sites.emplace_back();
    return true;
  }

  const StaticRegion& region_;
  std::map<const llvm::BasicBlock*, std::uint32_t> ids_;
  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::TargetLibraryInfo library_info_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  llvm::SCEVExpander expander_;
};

} // namespace

std::vector<AffineRun> find_affine_runs(const StaticRegion& region) {
  std::vector<AffineRun> runs;
  std::vector<llvm::Function*> functions = {region.function};
  functions.insert(functions.end(), region.callees.begin(), region.callees.end());
  for (llvm::Function* function : functions)
    Finder(region, *function).find(runs);
  return runs;
}

} // namespace forewarp::port
