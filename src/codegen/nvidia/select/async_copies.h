// Asynchronous copies (cp.async): the loads of a copy fill no register that the program reads; who waits for
// them is the wait of their group.
#pragma once

#include "facts/machine_program.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace forewarp::codegen {

class AsyncCopies {
public:
  using Index = std::function<std::uint32_t(const llvm::BasicBlock&)>;

  /// `arrived`: the virtual register that stands for the copied data.
  void add_load(const llvm::BasicBlock& block, std::uint32_t arrived) { loads_.push_back({&block, arrived}); }
  /// The end of a group of copies, before `operation` of its block.
  void add_commit(const llvm::BasicBlock& block, std::size_t operation) {
    commits_.push_back({&block, operation});
  }
  /// `operation` of its block lets the newest `groups` groups be.
  void add_wait(const llvm::BasicBlock& block, std::size_t operation, unsigned groups) {
    waits_.push_back({&block, operation, groups});
  }

  /// Makes the waits read what they wait for: the newest loads of the innermost loop that holds both; for a
  /// wait that spares `groups` groups what they were so many iterations ago as make that many groups. Not
  /// modelled: groups that are ended on one side of a branch only; groups spared outside of loops are taken
  /// for arrived. `new_register` makes registers that take no room.
  void connect(facts::MachineProgram& program, const llvm::LoopInfo& loops, const Index& index,
               const std::function<std::uint32_t()>& new_register);

private:
  using Places = llvm::DenseMap<const llvm::BasicBlock*, std::size_t>;
  struct Load {
    const llvm::BasicBlock* block;
    std::uint32_t arrived;
  };
  struct Commit {
    const llvm::BasicBlock* block;
    std::size_t operation;
  };
  struct Wait {
    const llvm::BasicBlock* block;
    std::size_t operation;
    unsigned groups;
  };

  unsigned iterations_ago(const Wait& wait, const llvm::Loop& loop, const Places& places) const;
  const llvm::Loop* common_loop(const Wait& wait, const llvm::LoopInfo& loops) const;

  std::vector<Load> loads_;
  std::vector<Wait> waits_;
  std::vector<Commit> commits_;
};

} // namespace forewarp::codegen
