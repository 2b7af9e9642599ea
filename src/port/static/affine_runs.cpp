#include "port/static/affine_runs.h"

#include "port/static/describe.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

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
    for (std::uint32_t id = 0; id < region_.blocks.size(); ++id) {
      const facts::RegionBlock& block = region_.facts.blocks[id];
      if (!block.loop_header || region_.blocks[id]->getParent() != tree_.getRoot()->getParent())
        continue;
      if (auto run = run_of(id, block))
        out.push_back(*std::move(run));
    }
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

  std::optional<AffineRun> run_of(std::uint32_t id, const facts::RegionBlock& block) {
    llvm::BasicBlock* const body = region_.blocks[id];
    const llvm::Loop* loop = loops_.getLoopFor(body);
    if (loop == nullptr || loop->getNumBlocks() != 1 || loop->getHeader() != body || !calls_nothing(*body))
      return std::nullopt;
    llvm::BasicBlock* const preheader = loop->getLoopPreheader();
    const llvm::SCEV* back = evolution_.getBackedgeTakenCount(loop);
    llvm::Type* word = llvm::Type::getInt64Ty(body->getContext());
    if (preheader == nullptr || llvm::isa<llvm::SCEVCouldNotCompute>(back) ||
        !back->getType()->isIntegerTy() || evolution_.getTypeSizeInBits(back->getType()) > 64)
      return std::nullopt;
    const llvm::SCEV* count =
        evolution_.getAddExpr(evolution_.getTruncateOrZeroExtend(back, word), evolution_.getOne(word));
    llvm::Instruction* const place = preheader->getTerminator();
    std::vector<Plan> plans;
    for (std::uint32_t s = 0; s < block.site_count; ++s) {
      const auto plan = plan_of(llvm::getLoadStorePointerOperand(region_.sites[block.first_site + s]), loop);
      if (!plan || !expander_.isSafeToExpandAt(plan->first, place) ||
          !expander_.isSafeToExpandAt(plan->stride, place))
        return std::nullopt;
      plans.push_back(*plan);
    }
    if (!expander_.isSafeToExpandAt(count, place))
      return std::nullopt;
    AffineRun run;
    run.block = id;
    run.preheader = preheader;
    run.iterations = expander_.expandCodeFor(count, word, place);
    for (const Plan& plan : plans)
      run.sites.push_back({expander_.expandCodeFor(plan.first, plan.first->getType(), place),
                           expander_.expandCodeFor(plan.stride, word, place)});
    return run;
  }

  const StaticRegion& region_;
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
