#include "port/features/text/band.h"

#include "port/static/describe.h"
#include "port/static/region.h"
#include "port/static/scalars.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugLoc.h>

#include <fmt/format.h>

namespace forewarp::port {
namespace {

/// A store that every iteration of `loop` makes in the same place; null: none.
const llvm::StoreInst* store_that_stays(const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  for (llvm::BasicBlock* block : loop.blocks())
    for (llvm::Instruction& instruction : *block)
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        if (evolution.isLoopInvariant(evolution.getSCEV(store->getPointerOperand()), &loop))
          return store;
  return nullptr;
}

bool can_join(llvm::Loop& loop, Knowledge& knowledge) {
  return scalar_dependences(loop, 0, knowledge.evolution).empty() &&
         store_that_stays(loop, knowledge.evolution) == nullptr;
}

std::string line_of(const llvm::Instruction& instruction) {
  const llvm::DebugLoc& at = instruction.getDebugLoc();
  return at ? "line " + std::to_string(at.getLine()) : "the loop";
}

void check_scalars(llvm::Loop& loop, Knowledge& knowledge, Band& band) {
  for (const facts::RegionDependence& dependence : scalar_dependences(loop, 0, knowledge.evolution))
    if (dependence.reduction.empty())
      band.concerns.push_back(fmt::format("line {} hands '{}' on to the next iteration",
                                          dependence.source.line, dependence.variable));
}

void check_calls(const llvm::Loop& loop, Band& band) {
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || !is_operation(instruction) || is_math_call(*call))
        continue;
      const llvm::Function* callee = call->getCalledFunction();
      if (callee && !callee->isDeclaration())
        continue;
      band.concerns.push_back(callee ? fmt::format("{} calls '{}', whose source is not in the file",
                                                   line_of(instruction), llvm::demangle(callee->getName()))
                                     : line_of(instruction) + " calls what the text does not name");
      return;
    }
}

/// Iterations between the accesses of `store` and `other` to the same place, where the text tells; 0: none.
std::int64_t distance(const llvm::StoreInst& store, const llvm::Instruction& other, const llvm::Loop& loop,
                      llvm::ScalarEvolution& evolution) {
  const auto recurrence = [&](const llvm::Value* pointer) {
    const auto* moving =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(const_cast<llvm::Value*>(pointer)));
    return moving && moving->getLoop() == &loop && moving->isAffine() ? moving : nullptr;
  };
  const auto* left = recurrence(store.getPointerOperand());
  const auto* right = recurrence(llvm::getLoadStorePointerOperand(&other));
  if (!left || !right || left->getStepRecurrence(evolution) != right->getStepRecurrence(evolution))
    return 0;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(left->getStepRecurrence(evolution));
  const auto* apart = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getMinusSCEV(left, right));
  if (!step || !apart)
    return 0;
  const std::int64_t bytes = apart->getAPInt().getSExtValue(), each = step->getAPInt().getSExtValue();
  return each != 0 && bytes % each == 0 ? bytes / each : 0;
}

void check_memory(const llvm::Loop& loop, Knowledge& knowledge, Band& band) {
  std::vector<const llvm::StoreInst*> stores;
  std::vector<const llvm::Instruction*> accesses;
  for (const llvm::BasicBlock* block : loop.blocks())
    for (const llvm::Instruction& instruction : *block) {
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        stores.push_back(store);
      if (llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction))
        accesses.push_back(&instruction);
    }
  constexpr std::size_t most_pairs = 4096;
  if (stores.size() * accesses.size() > most_pairs)
    return;
  for (const llvm::StoreInst* store : stores)
    for (const llvm::Instruction* access : accesses)
      if (const std::int64_t apart = distance(*store, *access, loop, knowledge.evolution); apart != 0) {
        band.concerns.push_back(fmt::format("{} uses what {} writes {} iteration{} away", line_of(*access),
                                            line_of(*store), apart < 0 ? -apart : apart,
                                            apart == 1 || apart == -1 ? "" : "s"));
        return;
      }
}

} // namespace

Band band_of(llvm::Loop& outermost, Knowledge& knowledge, unsigned wanted) {
  Band band;
  band.loops = {&outermost};
  const unsigned most = wanted == 0 ? max_parallel_loops : wanted;
  while (band.loops.size() < most) {
    llvm::Loop* const inner = candidate_inside(*band.innermost(), knowledge.evolution);
    if (!inner || !can_join(*inner, knowledge))
      break;
    band.loops.push_back(inner);
  }
  if (!is_counted(outermost, knowledge.evolution))
    band.concerns.emplace_back("the loop decides inside itself when it ends");
  check_scalars(outermost, knowledge, band);
  check_calls(outermost, band);
  check_memory(outermost, knowledge, band);
  const llvm::StoreInst* store = store_that_stays(outermost, knowledge.evolution);
  if (store && reduction_of(*store).empty() &&
      !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(store->getPointerOperand())))
    band.concerns.push_back(line_of(*store) + " writes the same place in every iteration");
  return band;
}

} // namespace forewarp::port
