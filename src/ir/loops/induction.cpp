#include "ir/loops/induction.h"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Function.h>

namespace forewarp::ir {
namespace {

using llvm::Instruction;

bool has_closed_form(unsigned opcode) {
  switch (opcode) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

/// `update` = variable op step, with `variable` one of its operands.
std::optional<Induction> of_update(const llvm::Value* update, const llvm::Value* variable,
                                   const llvm::Loop& loop) {
  const auto* made = llvm::dyn_cast_or_null<llvm::BinaryOperator>(update);
  if (made == nullptr || !has_closed_form(made->getOpcode()))
    return std::nullopt;
  Induction induction;
  induction.update = made;
  if (made->getOperand(0) == variable)
    induction.step = made->getOperand(1);
  else if (made->getOperand(1) == variable &&
           (made->isCommutative() || made->getOpcode() == Instruction::Sub)) {
    induction.step = made->getOperand(0);
    induction.step_first = !made->isCommutative();
  } else {
    return std::nullopt;
  }
  if (!loop.isLoopInvariant(induction.step))
    return std::nullopt;
  return induction;
}

const llvm::Value* entering_value(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const llvm::Value* value = nullptr;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    if (loop.contains(phi.getIncomingBlock(k)))
      continue;
    if (value != nullptr && value != phi.getIncomingValue(k))
      return nullptr;
    value = phi.getIncomingValue(k);
  }
  return value;
}

const llvm::Value* returning_value(const llvm::PHINode& phi, const llvm::Loop& loop) {
  const llvm::Value* value = nullptr;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    if (!loop.contains(phi.getIncomingBlock(k)))
      continue;
    if (value != nullptr && value != phi.getIncomingValue(k))
      return nullptr;
    value = phi.getIncomingValue(k);
  }
  return value;
}

/// Case 2: the variable lies in memory. Its one store in the loop updates it; the last store before the loop
/// starts it.
std::optional<Induction> in_memory(const llvm::LoadInst& load, const llvm::Loop& loop) {
  const llvm::Value* place = load.getPointerOperand();
  if (!loop.isLoopInvariant(place))
    return std::nullopt;
  const llvm::StoreInst* inside = nullptr;
  const llvm::StoreInst* before = nullptr;
  for (const llvm::User* user : place->users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store == nullptr || store->getPointerOperand() != place) {
      if (!llvm::isa<llvm::LoadInst>(user))
        return std::nullopt; // somebody else may write it
      continue;
    }
    if (loop.contains(store)) {
      if (inside != nullptr)
        return std::nullopt;
      inside = store;
    }
  }
  // Closest before the loop: up the only way to it.
  for (const llvm::BasicBlock* block = loop.getLoopPredecessor(); block != nullptr && before == nullptr;
       block = block->getSinglePredecessor())
    for (const llvm::Instruction& instruction : llvm::reverse(*block))
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          store != nullptr && store->getPointerOperand() == place) {
        before = store;
        break;
      }
  if (inside == nullptr || before == nullptr)
    return std::nullopt;
  const auto* made = llvm::dyn_cast<llvm::BinaryOperator>(inside->getValueOperand());
  if (made == nullptr)
    return std::nullopt;
  for (const llvm::Value* operand : made->operands())
    if (const auto* read = llvm::dyn_cast<llvm::LoadInst>(operand);
        read != nullptr && read->getPointerOperand() == place)
      if (auto induction = of_update(made, read, loop)) {
        induction->start = before->getValueOperand();
        induction->found = Induction::Found::load;
        return induction;
      }
  return std::nullopt;
}

} // namespace

std::optional<Induction> induction_of(const llvm::PHINode& phi, const llvm::Loop& loop) {
  if (phi.getParent() != loop.getHeader())
    return std::nullopt;
  auto induction = of_update(returning_value(phi, loop), &phi, loop);
  const llvm::Value* start = entering_value(phi, loop);
  if (!induction || start == nullptr)
    return std::nullopt;
  induction->start = start;
  return induction;
}

const llvm::SCEVAddRecExpr* recurrence_of(llvm::PHINode& phi, const llvm::Loop& loop,
                                          llvm::ScalarEvolution& evolution) {
  if (!evolution.isSCEVable(phi.getType()))
    return nullptr;
  const auto* expression = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(&phi));
  return expression && expression->getLoop() == &loop && expression->isAffine() ? expression : nullptr;
}

std::int64_t step_of(llvm::PHINode& phi, const llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  const llvm::SCEVAddRecExpr* expression = recurrence_of(phi, loop, evolution);
  if (!expression || !phi.getType()->isIntegerTy())
    return 0;
  const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(expression->getStepRecurrence(evolution));
  return step ? step->getValue()->getSExtValue() : 0;
}

std::optional<StayTest> stay_test(const llvm::BasicBlock& exiting, const llvm::Loop& loop) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  if (branch == nullptr || !branch->isConditional())
    return std::nullopt;
  const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (compare == nullptr)
    return std::nullopt;
  return StayTest{compare, loop.contains(branch->getSuccessor(0))};
}

namespace {

bool is_of_arguments(const llvm::Value* value, unsigned depth) {
  constexpr unsigned deepest = 8;
  if (llvm::isa<llvm::Argument, llvm::Constant>(value))
    return true;
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction != nullptr && depth < deepest &&
         llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst, llvm::FreezeInst>(
             instruction) &&
         llvm::all_of(
             instruction->operands(),
             [&](const llvm::Value* operand) { return is_of_arguments(operand, depth + 1); });
}

} // namespace

bool is_of_arguments(const llvm::Value* value) {
  return is_of_arguments(value, 0);
}

std::optional<ExitTest> exit_test(const llvm::BasicBlock& exiting, const llvm::Loop& loop) {
  const auto stay = stay_test(exiting, loop);
  if (!stay)
    return std::nullopt;
  ExitTest test;
  test.compare = stay->compare;
  test.stays_where_true = stay->stays_where_true;
  for (const unsigned side : {0U, 1U}) {
    test.variable_first = side == 0;
    test.end = test.compare->getOperand(1 - side);
    if (!loop.isLoopInvariant(test.end))
      continue;
    const llvm::Value* looked_at = test.compare->getOperand(side);
    test.cast = llvm::dyn_cast<llvm::CastInst>(looked_at);
    if (test.cast != nullptr)
      looked_at = test.cast->getOperand(0);
    if (const auto* carried = llvm::dyn_cast<llvm::PHINode>(looked_at)) { // case 3
      if (auto induction = induction_of(*carried, loop)) {
        test.variable = *induction;
        test.variable.found = Induction::Found::phi;
        test.updates_before = 0;
        return test;
      }
    } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(looked_at)) { // case 2
      if (auto induction = in_memory(*load, loop)) {
        test.variable = *induction;
        // A load that comes behind the store sees the update.
        test.updates_before = 0;
        for (const llvm::Instruction& instruction : *load->getParent()) {
          if (&instruction == load)
            break;
          const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
          if (store != nullptr && store->getPointerOperand() == load->getPointerOperand())
            test.updates_before = 1;
        }
        return test;
      }
    } else { // case 1
      for (const llvm::PHINode& phi : loop.getHeader()->phis())
        if (auto induction = induction_of(phi, loop); induction && induction->update == looked_at) {
          test.variable = *induction;
          test.variable.found = Induction::Found::binary;
          test.updates_before = 1;
          return test;
        }
    }
  }
  return std::nullopt;
}

} // namespace forewarp::ir
