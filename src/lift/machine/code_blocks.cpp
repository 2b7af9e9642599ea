#include "lift/machine/code_blocks.h"

#include "ir/kernel_module.h"
#include "lift/lift.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>

#include <algorithm>

namespace forewarp::lift {

std::vector<CodeBlock> code_blocks(const llvm::Function& function) {
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> index;
  for (const llvm::BasicBlock& block : function)
    index.insert({&block, static_cast<std::uint32_t>(index.size())});
  std::vector<CodeBlock> blocks;
  for (const llvm::BasicBlock& block : function) {
    const auto [first, end] = instructions_of(block);
    blocks.push_back({first, end, {}});
    for (const llvm::BasicBlock* next : llvm::successors(&block))
      blocks.back().successors.push_back(index[next]);
  }
  return blocks;
}

SitesOfBlock::SitesOfBlock(const llvm::Function& function) {
  for (const ir::Numbering::Site& site : ir::number(function).sites) {
    by_block_.resize(std::max<std::size_t>(by_block_.size(), site.block + 1));
    by_block_[site.block].push_back(instruction_of(*site.instruction));
  }
  std::uint32_t first = 0;
  for (const std::vector<std::uint32_t>& block : by_block_) {
    first_.push_back(first);
    first += static_cast<std::uint32_t>(block.size());
  }
}

std::uint32_t SitesOfBlock::of(std::size_t block, std::uint32_t instruction) const {
  if (block >= by_block_.size())
    return facts::no_value;
  const std::vector<std::uint32_t>& in = by_block_[block];
  const auto found = std::find(in.begin(), in.end(), instruction);
  return found == in.end() ? facts::no_value : first_[block] + static_cast<std::uint32_t>(found - in.begin());
}

std::uint32_t SitesOfBlock::last_of(std::size_t block, std::uint32_t instruction) const {
  std::uint32_t site = of(block, instruction);
  while (site != facts::no_value && site + 1 - first_[block] < by_block_[block].size() &&
         by_block_[block][site + 1 - first_[block]] == instruction)
    ++site;
  return site;
}

void add_passed_bodies(const std::vector<CodeBlock>& blocks,
                       const std::function<std::uint32_t(std::uint32_t body)>& condition_of,
                       facts::MachineProgram& program) {
  for (std::uint32_t b = 0; b < blocks.size(); ++b)
    for (const std::uint32_t body : blocks[b].successors) {
      std::vector<std::uint32_t> next = blocks[body].successors;
      std::erase(next, body); // pieces of a copy
      if (next.size() != 1 || body == b || blocks[body].first != blocks[b].end ||
          blocks[body].first == blocks[body].end || program.blocks[body].ops.empty())
        continue;
      const std::uint32_t behind = next[0];
      const auto& ways = blocks[b].successors;
      if (std::find(ways.begin(), ways.end(), behind) == ways.end() ||
          blocks[behind].first != blocks[body].end)
        continue;
      facts::PassedBody passed;
      passed.previous_block = b;
      passed.body_block = body;
      passed.add(program.blocks[body]);
      passed.condition = condition_of(body);
      passed.location = program.blocks[body].ops.front().location;
      program.blocks[behind].passed.push_back(passed);
    }
}

} // namespace forewarp::lift
