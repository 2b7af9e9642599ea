// Blocks of a lifted kernel as the machine program sees them: instructions, sites, bodies that are passed.
#pragma once

#include "facts/machine_program.h"
#include "lift/machine/values.h"

#include <functional>
#include <vector>

namespace llvm {
class Function;
}

namespace forewarp::lift {

std::vector<CodeBlock> code_blocks(const llvm::Function& function);

/// The sites of a block by the instruction that each was made for.
class SitesOfBlock {
public:
  explicit SitesOfBlock(const llvm::Function& function);
  std::uint32_t count(std::size_t block) const {
    return block < by_block_.size() ? static_cast<std::uint32_t>(by_block_[block].size()) : 0;
  }
  /// The first of an instruction, or the last; no_value: it has none.
  std::uint32_t of(std::size_t block, std::uint32_t instruction) const;
  std::uint32_t last_of(std::size_t block, std::uint32_t instruction) const;

private:
  std::vector<std::vector<std::uint32_t>> by_block_;
  std::vector<std::uint32_t> first_;
};

/// A body under a guard that no lane has still issues. `condition_of`: the value that a body waits for.
void add_passed_bodies(const std::vector<CodeBlock>& blocks,
                       const std::function<std::uint32_t(std::uint32_t body)>& condition_of,
                       facts::MachineProgram& program);

} // namespace forewarp::lift
