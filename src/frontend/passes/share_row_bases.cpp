#include "frontend/passes/share_row_bases.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

namespace forewarp::frontend {
namespace {

constexpr unsigned steps_to_address = 4; // sums and extensions between a product and the address

/// Of a sum with what other rows add as well, or a constant: else there is no base to share.
bool adds_the_same(const llvm::Instruction& sum, const llvm::Value& row) {
  const llvm::Value* other = sum.getOperand(sum.getOperand(0) == &row ? 1 : 0);
  return llvm::isa<llvm::Constant>(other) || llvm::any_of(other->users(), [&](const llvm::User* user) {
           const auto* like = llvm::dyn_cast<llvm::Instruction>(user);
           return like != nullptr && like != &sum && like->getOpcode() == sum.getOpcode();
         });
}

bool makes_index(const llvm::Value& value, unsigned steps = 0) {
  return llvm::any_of(value.users(), [&](const llvm::User* user) {
    if (llvm::isa<llvm::GetElementPtrInst>(user))
      return true;
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (instruction == nullptr || steps == steps_to_address)
      return false;
    switch (instruction->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Or:
      return adds_the_same(*instruction, value) && makes_index(*instruction, steps + 1);
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return makes_index(*instruction, steps + 1);
    default:
      return false;
    }
  });
}

struct Sum {
  llvm::BinaryOperator* made = nullptr; ///< null: there is none
  llvm::Value* row = nullptr;
};

/// `x | 7` is `(x & ~7) + 7`; where the row is `x & 120` and x has no higher bits, it is the row.
llvm::Value* masked(const llvm::BinaryOperator& either, const llvm::ConstantInt& bits,
                    const llvm::DominatorTree& dominators) {
  llvm::Value* of = either.getOperand(0);
  const llvm::APInt needed =
      ~bits.getValue() & ~llvm::computeKnownBits(of, either.getModule()->getDataLayout()).Zero;
  for (llvm::User* user : of->users()) {
    auto* part = llvm::dyn_cast<llvm::BinaryOperator>(user);
    const auto* mask = part != nullptr && part->getOpcode() == llvm::Instruction::And
                           ? llvm::dyn_cast<llvm::ConstantInt>(part->getOperand(1))
                           : nullptr;
    if (mask != nullptr && dominators.dominates(part, &either) && needed.isSubsetOf(mask->getValue()) &&
        !mask->getValue().intersects(bits.getValue()))
      return part;
  }
  return nullptr;
}

/// The sum of a row and a constant that can be multiplied part by part without a wrap.
Sum sum_of(llvm::Value* value, const llvm::DominatorTree& dominators) {
  auto* made = llvm::dyn_cast<llvm::BinaryOperator>(value);
  const auto* distance = made ? llvm::dyn_cast<llvm::ConstantInt>(made->getOperand(1)) : nullptr;
  if (distance == nullptr)
    return {};
  if (const auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(made)) {
    llvm::Value* row = either->isDisjoint() ? made->getOperand(0) : masked(*made, *distance, dominators);
    return row != nullptr ? Sum{made, row} : Sum{};
  }
  return made->getOpcode() == llvm::Instruction::Add && made->hasNoUnsignedWrap()
             ? Sum{made, made->getOperand(0)}
             : Sum{};
}

/// Both factors are known not to be negative, and so are all parts: none of them wraps.
bool distributes(const llvm::BinaryOperator& product) {
  const bool multiplies =
      product.getOpcode() == llvm::Instruction::Shl || product.getOpcode() == llvm::Instruction::Mul;
  if (!multiplies || !product.getType()->isIntegerTy() || !product.hasNoUnsignedWrap())
    return false;
  const auto* factor = llvm::dyn_cast<llvm::ConstantInt>(product.getOperand(1));
  return factor != nullptr && !factor->isZero() && makes_index(product);
}

void distribute(llvm::BinaryOperator& product, const Sum& sum) {
  llvm::IRBuilder<> builder(&product);
  const bool is_signed = product.hasNoSignedWrap();
  const auto scaled = [&](llvm::Value* part) {
    return product.getOpcode() == llvm::Instruction::Shl
               ? builder.CreateShl(part, product.getOperand(1), "", true, is_signed)
               : builder.CreateMul(part, product.getOperand(1), "", true, is_signed);
  };
  llvm::Value* whole =
      builder.CreateAdd(scaled(sum.row), scaled(sum.made->getOperand(1)), "", true, is_signed);
  product.replaceAllUsesWith(whole);
  product.eraseFromParent();
}

/// One that all ways to a block make alike is made in the block.
void join_ways(llvm::BinaryOperator& sum) {
  for (llvm::User* user : llvm::make_early_inc_range(sum.users())) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    const auto is_same = [&](const llvm::Use& use) {
      const auto* made = llvm::dyn_cast<llvm::Instruction>(use.get());
      return made != nullptr && made->isIdenticalTo(&sum);
    };
    if (phi == nullptr || !llvm::all_of(phi->incoming_values(), is_same))
      continue;
    llvm::Instruction* copy = sum.clone();
    copy->insertBefore(*phi->getParent(), phi->getParent()->getFirstInsertionPt());
    phi->replaceAllUsesWith(copy);
    phi->eraseFromParent();
  }
}

/// What is used in other blocks alone is made there, as LLVM sinks it behind the target's passes.
void move_to_uses(llvm::BinaryOperator& sum) {
  join_ways(sum);
  const bool used_here = llvm::any_of(sum.users(), [&](const llvm::User* user) {
    return llvm::cast<llvm::Instruction>(user)->getParent() == sum.getParent() ||
           llvm::isa<llvm::PHINode>(user);
  });
  if (used_here)
    return;
  for (llvm::Use& use : llvm::make_early_inc_range(sum.uses())) {
    llvm::Instruction* copy = sum.clone();
    copy->insertBefore(llvm::cast<llvm::Instruction>(use.getUser())->getIterator());
    use.set(copy);
  }
  sum.eraseFromParent();
}

} // namespace

void share_row_bases(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto* product = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
    if (product == nullptr || !distributes(*product))
      continue;
    const Sum sum = sum_of(product->getOperand(0), dominators);
    if (sum.made == nullptr || sum.made->hasOneUse())
      continue;
    distribute(*product, sum);
    move_to_uses(*sum.made);
  }
}

} // namespace forewarp::frontend
