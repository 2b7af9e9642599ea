#include "frontend/ptx/addresses/address_bases.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <algorithm>

namespace forewarp::frontend::ptx {
namespace {

/// A walk, p = phi(start, p + step): the phi that the sum leads back to. The start alone says whether it is
/// an address; the step is a number, whatever it looks like.
llvm::PHINode* walked(const llvm::Instruction& sum) {
  if (sum.getOpcode() == llvm::Instruction::Add)
    for (llvm::Value* operand : sum.operands())
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(operand);
          phi && llvm::is_contained(phi->incoming_values(), &sum))
        return phi;
  return nullptr;
}

} // namespace

/// Ranks only rise, from one pass to the next: a loop's phi learns from its end.
AddressBases::AddressBases(llvm::Function& function) {
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const Rank found = find_rank(instruction);
      if (found == Rank::none)
        continue;
      Rank& known = ranks_[&instruction];
      changed |= known != found;
      known = found;
    }
  }
}

Rank AddressBases::rank(llvm::Value* number) const {
  if (llvm::isa<llvm::Instruction>(number))
    return ranks_.lookup(number);
  if (llvm::isa<llvm::Argument>(number))
    return number->getType()->isIntegerTy(64) ? Rank::argument : Rank::none;
  if (llvm::isa<llvm::PtrToIntOperator>(number))
    return Rank::pointer;
  if (auto* sum = llvm::dyn_cast<llvm::AddOperator>(number)) // a variable's address and an offset
    return std::max(rank(sum->getOperand(0)), rank(sum->getOperand(1)));
  return Rank::none;
}

Rank AddressBases::find_rank(llvm::Instruction& number) const {
  if (llvm::isa<llvm::PtrToIntInst>(number))
    return Rank::pointer;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&number)) {
    Rank found = Rank::none;
    for (llvm::Value* incoming : phi->incoming_values())
      found = std::max(found, rank(incoming));
    return found;
  }
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&number))
    return std::max(rank(choice->getTrueValue()), rank(choice->getFalseValue()));
  if (llvm::isa<llvm::ZExtInst, llvm::TruncInst>(number)) // shared memory's addresses fit into 32 bits
    return rank(number.getOperand(0)) == Rank::pointer ? Rank::pointer : Rank::none;
  if (number.getOpcode() == llvm::Instruction::Sub)
    return rank(number.getOperand(0));
  if (llvm::PHINode* phi = walked(number))
    return rank(phi);
  if (number.getOpcode() == llvm::Instruction::Add)
    return std::max(rank(number.getOperand(0)), rank(number.getOperand(1)));
  const bool whole = number.getType()->isIntegerTy(64);
  return whole && llvm::isa<llvm::LoadInst, llvm::ExtractElementInst, llvm::ExtractValueInst>(number)
             ? Rank::loaded
             : Rank::none;
}

std::optional<AddressBases::Parts> AddressBases::split(llvm::BinaryOperator& sum) const {
  llvm::Value *x = sum.getOperand(0), *y = sum.getOperand(1);
  if (sum.getOpcode() == llvm::Instruction::Sub)
    return rank(x) != Rank::none ? std::optional(Parts{x, y, true}) : std::nullopt;
  if (sum.getOpcode() != llvm::Instruction::Add)
    return std::nullopt;
  if (llvm::PHINode* phi = walked(sum))
    return rank(phi) != Rank::none ? std::optional(Parts{phi, phi == x ? y : x, false}) : std::nullopt;
  const Rank of_x = rank(x), of_y = rank(y);
  if (of_x == Rank::none && of_y == Rank::none)
    return std::nullopt;
  return of_x >= of_y ? Parts{x, y, false} : Parts{y, x, false};
}

bool AddressBases::leads_to(llvm::Value* number, const llvm::Argument* argument) const {
  llvm::SmallVector<llvm::Value*, 16> open = {number};
  llvm::SmallPtrSet<llvm::Value*, 16> seen;
  while (!open.empty()) {
    llvm::Value* each = open.pop_back_val();
    if (each == argument)
      return true;
    if (!seen.insert(each).second)
      continue;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(each))
      open.append(phi->value_op_begin(), phi->value_op_end());
    else if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(each))
      open.append({choice->getTrueValue(), choice->getFalseValue()});
    else if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(each)) {
      if (const auto parts = split(*sum))
        open.push_back(parts->base);
    } else if (auto* back = llvm::dyn_cast<llvm::PtrToIntInst>(each)) {
      const llvm::Value* pointer = back->getOperand(0)->stripPointerCasts();
      if (const auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer))
        open.push_back(cast->getOperand(0));
    }
  }
  return false;
}

} // namespace forewarp::frontend::ptx
