#include "engine/control_flow.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>

namespace forewarp::engine {
namespace {

using predict::model_facts::ControlFlow;
using predict::model_facts::no_block;
using predict::model_facts::no_loop;

using Numbers = std::map<const llvm::BasicBlock*, std::uint32_t>; // looked up, never walked

void add_loop(const llvm::Loop& loop, std::uint32_t parent, const Numbers& numbers, ControlFlow& flow) {
  const auto index = static_cast<std::uint32_t>(flow.loops.size());
  flow.loops.push_back({numbers.at(loop.getHeader()), parent});
  for (const llvm::BasicBlock* block : loop.blocks())
    flow.loop[numbers.at(block)] = index;
  for (const llvm::Loop* inner : loop.getSubLoops()) // after: the innermost loop stays
    add_loop(*inner, index, numbers, flow);
}

} // namespace

predict::model_facts::ControlFlow control_flow(const ir::KernelModule& module,
                                               const ir::KernelSignature& kernel) {
  llvm::Function& function = *module.module().getFunction(kernel.symbol);
  Numbers numbers;
  for (const llvm::BasicBlock& block : function)
    numbers.emplace(&block, static_cast<std::uint32_t>(numbers.size()));
  llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  const llvm::PostDominatorTree after(function);
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
  for (const llvm::Loop* loop : loops)
    add_loop(*loop, no_loop, numbers, flow);
  return flow;
}

} // namespace forewarp::engine
