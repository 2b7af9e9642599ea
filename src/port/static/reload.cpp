#include "port/static/reload.h"

#include "port/static/region.h"

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace forewarp::port {
namespace {

class Reloader {
public:
  Reloader(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : layout_(function.getParent()->getDataLayout()),
        evolution_(analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        aliases_(analyses.getResult<llvm::AAManager>(function)) {}

  void run(llvm::Loop& loop) {
    // A window of several elements is a chain of phis: each reload lets the next one be seen.
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::PHINode& phi : loop.getHeader()->phis())
        if (reload(phi, loop)) {
          changed = true;
          break;
        }
    }
  }

private:
  bool reload(llvm::PHINode& phi, llvm::Loop& loop) {
    llvm::BasicBlock *const before = loop.getLoopPreheader(), *const latch = loop.getLoopLatch();
    if (!before || !latch)
      return false;
    const auto* next = llvm::dyn_cast<llvm::LoadInst>(phi.getIncomingValueForBlock(latch));
    const auto* first = llvm::dyn_cast<llvm::LoadInst>(phi.getIncomingValueForBlock(before));
    if (!next || !first || !loop.contains(next) || !next->isSimple() || !first->isSimple())
      return false;
    const auto* place = llvm::dyn_cast<llvm::SCEVAddRecExpr>(
        evolution_.getSCEV(const_cast<llvm::Value*>(next->getPointerOperand())));
    if (!place || place->getLoop() != &loop || !place->isAffine())
      return false;
    const llvm::SCEV* step = place->getStepRecurrence(evolution_);
    const llvm::SCEV* distance = evolution_.getMinusSCEV(
        place->getStart(), evolution_.getSCEV(const_cast<llvm::Value*>(first->getPointerOperand())));
    if (distance != step || may_change(*next, loop))
      return false;
    const llvm::SCEV* own = evolution_.getMinusSCEV(place, step);
    llvm::SCEVExpander expander(evolution_, layout_, "forewarp.reload");
    llvm::Instruction* const at = &*loop.getHeader()->getFirstInsertionPt();
    if (!expander.isSafeToExpandAt(own, at))
      return false;
    llvm::Value* const address = expander.expandCodeFor(own, next->getPointerOperandType(), at);
    auto* const load =
        new llvm::LoadInst(phi.getType(), address, phi.getName(), false, next->getAlign(), at->getIterator());
    load->setDebugLoc(line_of_use(phi, *next));
    evolution_.forgetValue(&phi);
    phi.replaceAllUsesWith(load);
    phi.eraseFromParent();
    return true;
  }

  static llvm::DebugLoc line_of_use(const llvm::PHINode& phi, const llvm::LoadInst& next) {
    for (const llvm::User* user : phi.users())
      if (const auto* reader = llvm::dyn_cast<llvm::Instruction>(user);
          reader && !llvm::isa<llvm::PHINode>(reader) && reader->getDebugLoc())
        return reader->getDebugLoc();
    return next.getDebugLoc();
  }

  bool may_change(const llvm::LoadInst& load, const llvm::Loop& loop) {
    const auto place = llvm::MemoryLocation::getBeforeOrAfter(load.getPointerOperand(), load.getAAMetadata());
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : *block)
        if (instruction.mayWriteToMemory() &&
            llvm::isModSet(aliases_.getModRefInfo(&instruction, std::optional(place))))
          return true;
    return false;
  }

  const llvm::DataLayout& layout_;
  llvm::ScalarEvolution& evolution_;
  llvm::AAResults& aliases_;
};

} // namespace

void reload_carried_values(llvm::Module& module, const std::vector<RegionMark>& marks) {
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loop_analyses;
  llvm::FunctionAnalysisManager analyses;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(analyses);
  builder.registerLoopAnalyses(loop_analyses);
  builder.crossRegisterProxies(loop_analyses, analyses, groups, modules);
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    llvm::LoopInfo& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    for (const RegionMark& mark : marks) {
      llvm::Loop* loop = find_marked_loop(loops, mark);
      for (unsigned level = 0; loop && level < max_parallel_loops; ++level) {
        Reloader(function, analyses).run(*loop);
        loop = loop->getSubLoops().size() == 1 ? loop->getSubLoops().front() : nullptr;
      }
    }
  }
}

} // namespace forewarp::port
