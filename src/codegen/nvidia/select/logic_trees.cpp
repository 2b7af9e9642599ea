#include "codegen/nvidia/select/logic_trees.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace forewarp::codegen {

using llvm::Instruction;
using llvm::Value;

namespace {

constexpr std::size_t inputs = 3; ///< of LOP3

using Leaves = llvm::SmallVector<const Value*, inputs + 1>;

bool is_logic(const Instruction& instruction) {
  const unsigned opcode = instruction.getOpcode();
  return (opcode == Instruction::And || opcode == Instruction::Or || opcode == Instruction::Xor) &&
         instruction.getType()->isIntegerTy() && !instruction.getType()->isIntegerTy(1);
}

/// Needs no input of the instruction: part of its truth table.
bool is_of_the_table(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value);
  return constant && (constant->isMinusOne() || constant->isZero());
}

void add(Leaves& leaves, const Value* value) {
  if (!is_of_the_table(value) && std::find(leaves.begin(), leaves.end(), value) == leaves.end())
    leaves.push_back(value);
}

class Trees {
public:
  explicit Trees(const llvm::Function& function) {
    for (const llvm::BasicBlock& block : function)
      for (const Instruction& instruction : block)
        if (is_logic(instruction)) {
          all_.push_back(&instruction);
          if (could_be_taken_in(instruction))
            taken_in_.insert(&instruction);
        }
  }

  /// Each round gives up those that some user has no input left for.
  llvm::DenseSet<const Instruction*> settle() {
    std::size_t before = 0;
    do {
      before = taken_in_.size();
      leaves_.clear();
      for (const Instruction* instruction : all_)
        grow(*instruction);
    } while (taken_in_.size() < before);
    return std::move(taken_in_);
  }

private:
  static bool could_be_taken_in(const Instruction& instruction) {
    return !instruction.use_empty() &&
           std::all_of(instruction.user_begin(), instruction.user_end(), [&](const Value* user) {
             const auto* by = llvm::dyn_cast<Instruction>(user);
             return by && is_logic(*by) &&
                    (instruction.hasOneUse() || by->getParent() == instruction.getParent());
           });
  }

  /// The values that the operation reads: those of its operands where they fit, of both before one alone.
  void grow(const Instruction& instruction) {
    const Value* left = instruction.getOperand(0);
    const Value* right = instruction.getOperand(1);
    for (const auto& [of_left, of_right] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
      Leaves leaves;
      if (read(left, of_left, leaves) && read(right, of_right, leaves) && leaves.size() <= inputs) {
        give_up(left, of_left);
        give_up(right, of_right);
        leaves_[&instruction] = std::move(leaves);
        return;
      }
    }
    give_up(left, false);
    give_up(right, false);
    Leaves& leaves = leaves_[&instruction];
    add(leaves, left);
    add(leaves, right);
  }

  /// False where the operand is to be read through and can be, but is not computed yet.
  bool read(const Value* operand, bool through, Leaves& leaves) const {
    const auto* inner = llvm::dyn_cast<Instruction>(operand);
    if (!through || !inner || !taken_in_.contains(inner)) {
      add(leaves, operand);
      return true;
    }
    const auto found = leaves_.find(inner);
    if (found == leaves_.end())
      return false;
    for (const Value* leaf : found->second)
      add(leaves, leaf);
    return true;
  }

  void give_up(const Value* operand, bool was_read_through) {
    if (const auto* inner = llvm::dyn_cast<Instruction>(operand); inner && !was_read_through)
      taken_in_.erase(inner);
  }

  std::vector<const Instruction*> all_;
  llvm::DenseSet<const Instruction*> taken_in_;
  llvm::DenseMap<const Instruction*, Leaves> leaves_;
};

} // namespace

llvm::DenseSet<const Instruction*> logic_taken_in(const llvm::Function& function) {
  return Trees(function).settle();
}

} // namespace forewarp::codegen
