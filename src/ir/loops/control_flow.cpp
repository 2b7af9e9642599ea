#include "ir/loops/control_flow.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

namespace forewarp::ir {
namespace {

using facts::ControlFlow;
using facts::no_block;
using facts::no_loop;

using Numbers = std::map<const llvm::BasicBlock*, std::uint32_t>; // looked up, never walked

void add_loops(const llvm::LoopInfo& loops, const Numbers& numbers, ControlFlow& flow) {
  std::map<const llvm::Loop*, std::uint32_t> indices; // looked up, never walked
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    const auto index = static_cast<std::uint32_t>(flow.loops.size());
    indices.emplace(loop, index);
    const llvm::Loop* parent = loop->getParentLoop();
    flow.loops.push_back({numbers.at(loop->getHeader()), parent == nullptr ? no_loop : indices.at(parent)});
    for (const llvm::BasicBlock* block : loop->blocks())
      flow.loop[numbers.at(block)] = index; // inner loops come after and take theirs
  }
}

} // namespace

ControlFlow control_flow(const llvm::Function& function, const llvm::LoopInfo& loops,
                         const llvm::PostDominatorTree& after) {
  Numbers numbers;
  for (const llvm::BasicBlock& block : function)
    numbers.emplace(&block, static_cast<std::uint32_t>(numbers.size()));
  ControlFlow flow;
  flow.loop.assign(numbers.size(), no_loop);
  for (const llvm::BasicBlock& block : function) {
    std::vector<std::uint32_t>& successors = flow.successors.emplace_back();
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      if (std::find(successors.begin(), successors.end(), numbers.at(next)) == successors.end())
        successors.push_back(numbers.at(next));
    const auto* node = after.getNode(&block);
    const auto* parent = node != nullptr ? node->getIDom() : nullptr;
    flow.post_dominator.push_back(
        parent != nullptr && parent->getBlock() != nullptr ? numbers.at(parent->getBlock()) : no_block);
  }
  add_loops(loops, numbers, flow);
  return flow;
}

ControlFlow control_flow(const llvm::Function& function, const llvm::LoopInfo& loops) {
  const llvm::PostDominatorTree after(const_cast<llvm::Function&>(function)); // it does not change it
  return control_flow(function, loops, after);
}

ControlFlow control_flow(const KernelModule& module, const KernelSignature& kernel) {
  llvm::Function& function = *module.module().getFunction(kernel.symbol);
  const llvm::DominatorTree dominators(function);
  return control_flow(function, llvm::LoopInfo(dominators));
}

} // namespace forewarp::ir
