// Blocks of a lifted kernel: branches of the wave, accesses by the lanes of EXEC.
#pragma once

#include "lift/amd/lifter.h"

#include <map>
#include <set>
#include <vector>

namespace forewarp::lift::amd {

class Flow {
public:
  explicit Flow(Lifter& lifter) : l_(lifter) {}
  void run();

private:
  void find_leaders();
  std::optional<std::uint32_t> target_of(const Instruction& instruction) const;
  llvm::BasicBlock* block_at(std::uint32_t index);
  void lift_block(std::uint32_t index);
  void end_block(const Instruction& instruction, std::uint32_t index);
  std::uint32_t lift_access(std::uint32_t index);
  std::uint32_t lift_indexed(std::uint32_t index);
  Value* condition(const Instruction& instruction);
  void finish(llvm::Instruction* terminator, std::uint32_t end);

  Lifter& l_;
  std::set<std::uint32_t> leaders_;
  std::map<std::uint32_t, llvm::BasicBlock*> blocks_;
  std::vector<std::uint32_t> todo_;
  std::uint32_t first_ = 0; ///< of the IR block that is being filled
};

} // namespace forewarp::lift::amd
