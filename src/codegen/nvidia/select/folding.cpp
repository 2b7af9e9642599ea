#include "codegen/nvidia/select/folding.h"

#include "codegen/nvidia/select/logic_trees.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

namespace forewarp::codegen {

using llvm::Instruction;
using llvm::Value;

namespace {

bool is_int(const Value* value, unsigned bits) {
  return value->getType()->isIntegerTy(bits);
}

/// Multiply, or shift left by a constant, of one user.
const Instruction* single_use(const Value* value, unsigned opcode) {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && instruction->getOpcode() == opcode && instruction->hasOneUse() ? instruction
                                                                                       : nullptr;
}

bool is_funnel_shift(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == llvm::Intrinsic::fshl || call->getIntrinsicID() == llvm::Intrinsic::fshr);
}

/// The user takes this value as (part of) a 64-bit address.
bool is_address_use(const llvm::Use& use) {
  const auto* user = llvm::dyn_cast<Instruction>(use.getUser());
  if (!user)
    return false;
  if (llvm::isa<llvm::GetElementPtrInst>(user))
    return use.getOperandNo() > 0;
  return user->getOpcode() == Instruction::Add && user->getType()->isIntegerTy(64);
}

bool all_address_uses(const Instruction& instruction) {
  if (instruction.use_empty())
    return false;
  for (const llvm::Use& use : instruction.uses())
    if (!is_address_use(use))
      return false;
  return true;
}

bool contracts(const Instruction& add, const Instruction& mul) {
  return add.hasAllowContract() && mul.hasAllowContract();
}

} // namespace

bool is_constant_offset(const Instruction& gep) {
  return llvm::cast<llvm::GetElementPtrInst>(gep).hasAllConstantIndices();
}

bool only_high_half_is_used(const Instruction& value) {
  const auto takes_high = [](const llvm::User* user) {
    const auto* shift = llvm::dyn_cast<Instruction>(user);
    if (!shift || (shift->getOpcode() != Instruction::LShr && shift->getOpcode() != Instruction::AShr))
      return false;
    const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(shift->getOperand(1));
    return amount && amount->getZExtValue() >= 32;
  };
  return is_int(&value, 64) && !value.use_empty() &&
         std::all_of(value.user_begin(), value.user_end(), takes_high);
}

bool is_extended_from_32(const Value* value) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getBitWidth() <= 64 && llvm::isInt<33>(constant->getSExtValue());
  const auto* cast = llvm::dyn_cast<llvm::CastInst>(value);
  return cast && (cast->getOpcode() == Instruction::SExt || cast->getOpcode() == Instruction::ZExt) &&
         cast->getSrcTy()->isIntegerTy() && cast->getSrcTy()->getIntegerBitWidth() <= 32;
}

Folding::Folding(const llvm::Function& function, FoldingRules rules)
    : rules_(rules), nvidia_(llvm::StringRef(function.getParent()->getTargetTriple()).starts_with("nvptx")) {
  if (rules_.three_inputs)
    for (const Instruction* logic : logic_taken_in(function))
      fates_[logic] = Fate::absorbed;
  for (const llvm::BasicBlock& block : function)
    for (const Instruction& instruction : block) {
      visit(instruction);
      if (rules_.packs_halves)
        fold_halves(instruction);
    }
}

Fate Folding::fate(const Instruction* instruction) const {
  auto found = fates_.find(instruction);
  return found == fates_.end() ? Fate::emit : found->second;
}

bool Folding::absorbed(const Value* value) const {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction && fate(instruction) == Fate::absorbed;
}

bool Folding::known(const Value* value) const {
  const auto* instruction = llvm::dyn_cast<Instruction>(value);
  return instruction ? known_.contains(instruction) : llvm::isa<llvm::Constant>(value);
}

/// Begins at conversions of float constants to integers (frontend/passes/float_constants.h); all else is
/// folded before.
bool Folding::fold_known(const Instruction& instruction) {
  if (!llvm::isa<llvm::CastInst, llvm::BinaryOperator>(instruction) ||
      !std::all_of(instruction.value_op_begin(), instruction.value_op_end(),
                   [&](const Value* v) { return known(v); }))
    return false;
  known_.insert(&instruction);
  fates_[&instruction] = Fate::alias;
  return true;
}

void Folding::visit(const Instruction& instruction) {
  if (fold_known(instruction))
    return;
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return fold_float_add(instruction);
  case Instruction::Add:
  case Instruction::Sub:
    if (fold_offset(instruction) || fold_increment(instruction))
      return;
    return is_int(&instruction, 64) ? fold_wide_add(instruction) : fold_integer_add(instruction);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    if (is_int(&instruction, 1))
      fold_predicate(instruction);
    return;
  case Instruction::LShr:
  case Instruction::AShr:
    return fold_shift(instruction);
  case Instruction::Select:
    if (is_int(&instruction, 1))
      fold_predicate(instruction);
    return;
  case Instruction::Mul:
  case Instruction::Shl:
    if (is_int(&instruction, 64))
      fold_wide(instruction);
    return;
  case Instruction::GetElementPtr:
    return fold_address(instruction);
  case Instruction::FNeg:
    fates_[&instruction] = Fate::alias;
    return;
  case Instruction::Call:
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (call->getIntrinsicID() == llvm::Intrinsic::fabs)
        fates_[&instruction] = Fate::alias;
    return;
  default:
    if (llvm::isa<llvm::CastInst>(instruction))
      fold_cast(instruction);
  }
}

/// Two conversions of floats whose halves go nowhere but into one register: the second comes with the first.
bool Folding::pair(const Value* low, const Value* high) {
  const auto* one = llvm::dyn_cast<llvm::FPTruncInst>(low);
  const auto* other = llvm::dyn_cast<llvm::FPTruncInst>(high);
  if (!one || !other || one == other || !one->hasOneUse() || !other->hasOneUse() ||
      one->getParent() != other->getParent() || !one->getType()->isHalfTy() ||
      !one->getSrcTy()->isFloatTy() || !other->getSrcTy()->isFloatTy())
    return false;
  const bool in_order = one->comesBefore(other);
  pairs_[in_order ? other : one] = in_order ? one : other;
  return true;
}

// As components of a vector, or as the lower and the upper 16 bits of a word.
void Folding::fold_halves(const Instruction& instruction) {
  using namespace llvm::PatternMatch;
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    const auto* lane = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    const auto* before = llvm::dyn_cast<llvm::InsertElementInst>(insert->getOperand(0));
    if (lane && before && lane->getZExtValue() % 2 == 1)
      pair(before->getOperand(1), insert->getOperand(1));
    return;
  }
  Value *low = nullptr, *high = nullptr;
  const auto word_of = [](Value*& half) { return m_OneUse(m_ZExt(m_OneUse(m_BitCast(m_Value(half))))); };
  if (!is_int(&instruction, 32) ||
      !match(&instruction, m_c_Or(word_of(low), m_OneUse(m_Shl(word_of(high), m_SpecificInt(16))))) ||
      !pair(low, high))
    return;
  fates_[&instruction] = Fate::alias;
  for (const Value* operand : instruction.operands()) {
    const auto* part = llvm::cast<Instruction>(operand);
    fates_[part] = Fate::alias;
    if (part->getOpcode() == Instruction::Shl)
      fates_[llvm::cast<Instruction>(part->getOperand(0))] = Fate::alias;
  }
}

void Folding::fold_float_add(const Instruction& add) {
  for (const Value* operand : add.operands()) {
    const Instruction* mul = single_use(operand, Instruction::FMul);
    if (mul && contracts(add, *mul)) {
      fates_[mul] = Fate::absorbed;
      full_[&add] = true;
      return;
    }
  }
}

// IMAD before LEA before IADD3; an operation that has taken one in has its three inputs.
void Folding::fold_integer_add(const Instruction& add) {
  if (!add.getType()->isIntOrIntVectorTy() || add.getType()->getScalarSizeInBits() > 32 || full_.lookup(&add))
    return;
  for (unsigned opcode : {unsigned{Instruction::Mul}, unsigned{Instruction::Call}, unsigned{Instruction::Shl},
                          unsigned{Instruction::Add}, unsigned{Instruction::Sub}})
    for (const Value* operand : add.operands()) {
      const Instruction* inner = single_use(operand, opcode);
      if (!inner || full_.lookup(inner) || fate(inner) != Fate::emit || !goes_into(*inner, add))
        continue;
      fates_[inner] = Fate::absorbed;
      full_[&add] = true;
      return;
    }
}

bool Folding::goes_into(const Instruction& inner, const Instruction& add) const {
  switch (inner.getOpcode()) {
  case Instruction::Call:
    return rules_.three_inputs && is_int(&add, 32) && is_funnel_shift(inner) &&
           llvm::isa<llvm::ConstantInt>(inner.getOperand(2));
  case Instruction::Shl:
    return llvm::isa<llvm::ConstantInt>(inner.getOperand(1));
  case Instruction::Add:
  case Instruction::Sub:
    return rules_.three_inputs;
  default:
    return true;
  }
}

// IADD3 and IADD3.X: the halves of three 64-bit values.
void Folding::fold_wide_add(const Instruction& add) {
  const auto reads_in_place = [&](const Value* value) { return absorbed(value); };
  if (!rules_.three_inputs || std::any_of(add.value_op_begin(), add.value_op_end(), reads_in_place))
    return;
  for (unsigned opcode : {Instruction::Add, Instruction::Sub})
    for (const Value* operand : add.operands()) {
      const Instruction* inner = single_use(operand, opcode);
      if (!inner || full_.lookup(inner) || fate(inner) != Fate::emit ||
          std::any_of(inner->value_op_begin(), inner->value_op_end(), reads_in_place))
        continue;
      fates_[inner] = Fate::absorbed;
      full_[&add] = true;
      return;
    }
}

// The high half of 64 bits is a register of its own; a byte or half-word with its sign is one permutation.
void Folding::fold_shift(const Instruction& shift) {
  const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(shift.getOperand(1));
  if (!amount)
    return;
  const bool is_signed = shift.getOpcode() == Instruction::AShr;
  if (!is_signed && is_int(&shift, 64) && amount->equalsInt(32))
    fates_[&shift] = Fate::alias;
  const Instruction* left = single_use(shift.getOperand(0), Instruction::Shl);
  if (is_signed && is_int(&shift, 32) && left && left->getOperand(1) == amount &&
      (amount->equalsInt(16) || amount->equalsInt(24)))
    fates_[left] = Fate::absorbed;
}

// A compare has a predicate input that it combines with its result; negation is free.
void Folding::fold_predicate(const Instruction& logic) {
  if (logic.getOpcode() == Instruction::Xor)
    if (const auto* one = llvm::dyn_cast<llvm::ConstantInt>(logic.getOperand(1)); one && one->isOne()) {
      fates_[&logic] = Fate::alias;
      return;
    }
  for (const Value* operand : logic.operands()) {
    const auto* compare = llvm::dyn_cast<llvm::CmpInst>(operand);
    if (compare && compare->hasOneUse() && !compare->getOperand(0)->getType()->isIntegerTy(64)) {
      fates_[compare] = Fate::absorbed;
      full_[&logic] = true;
      return;
    }
  }
}

// (x + 1) * y is the multiply-add x * y + y: LLVM's combiner makes the first of the second, its NVPTX back
// end (combineMADConstOne) the second again. An addition takes x and the 1 as two of its three inputs.
bool Folding::fold_increment(const Instruction& sum) {
  if (!match(&sum, llvm::PatternMatch::m_Add(llvm::PatternMatch::m_Value(), llvm::PatternMatch::m_One())) ||
      !sum.getType()->getScalarType()->isIntegerTy(32) || sum.use_empty())
    return false;
  for (const llvm::User* each : sum.users()) {
    const auto* user = llvm::dyn_cast<Instruction>(each);
    const bool is_product = user && user->getOpcode() == Instruction::Mul;
    const bool is_sum = rules_.three_inputs && user && user->getOpcode() == Instruction::Add;
    if ((!is_product && !is_sum) || full_.lookup(user) || user->getOperand(0) == user->getOperand(1))
      return false;
  }
  if (llvm::none_of(sum.users(), [](const llvm::User* user) {
        return llvm::cast<Instruction>(user)->getOpcode() == Instruction::Mul;
      }))
    return false;
  for (const llvm::User* user : sum.users())
    full_[llvm::cast<Instruction>(user)] = true;
  fates_[&sum] = Fate::absorbed;
  return true;
}

// 32 x 32 -> 64 multiply-add takes its 32-bit factors as they are, and adds the 64-bit base.
void Folding::fold_wide(const Instruction& instruction) {
  const Value* left = instruction.getOperand(0);
  const Value* right = instruction.getOperand(1);
  if (instruction.getOpcode() == Instruction::Shl && !llvm::isa<llvm::ConstantInt>(right))
    return;
  if (is_extended_from_32(left) && is_extended_from_32(right) && all_address_uses(instruction))
    fates_[&instruction] = Fate::absorbed;
}

void Folding::fold_address(const Instruction& gep) {
  if (!is_constant_offset(gep))
    return;
  // The immediate offset of a memory operation, or of the address computed from it. A pointer that is carried
  // on (phi, select, stored) has to be made.
  for (const llvm::User* user : gep.users())
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst,
                   llvm::GetElementPtrInst, llvm::CallInst, llvm::AddrSpaceCastInst>(user))
      return;
  for (const llvm::User* user : gep.users())
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &gep)
      return;
  fates_[&gep] = Fate::alias;
}

/// Every use is an index into shared memory or a constant bank, perhaps extended first.
bool Folding::only_offsets_narrow_addresses(const Instruction& value) const {
  const auto is_narrow_index = [](const llvm::Use& use) {
    const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(use.getUser());
    return gep && use.getOperandNo() > 0 && (gep->getAddressSpace() == 3 || gep->getAddressSpace() == 4);
  };
  return nvidia_ && !value.use_empty() && llvm::all_of(value.uses(), [&](const llvm::Use& use) {
           const auto* extension = llvm::dyn_cast<llvm::CastInst>(use.getUser());
           return is_narrow_index(use) ||
                  (extension && llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) &&
                   !extension->use_empty() && llvm::all_of(extension->uses(), is_narrow_index));
         });
}

// Addresses of 32 bits wrap as their index does: a constant in it goes into the memory operation.
bool Folding::fold_offset(const Instruction& add) {
  if (add.getOpcode() != Instruction::Add || !llvm::isa<llvm::ConstantInt>(add.getOperand(1)) ||
      !only_offsets_narrow_addresses(add))
    return false;
  fates_[&add] = Fate::alias;
  return true;
}

void Folding::fold_cast(const Instruction& cast) {
  const llvm::Type* from = cast.getOperand(0)->getType();
  switch (cast.getOpcode()) {
  case Instruction::BitCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::AddrSpaceCast:
    fates_[&cast] = Fate::alias;
    return;
  case Instruction::Trunc:
    if (!cast.getType()->getScalarType()->isIntegerTy(1))
      fates_[&cast] = Fate::alias; // the high part is not looked at
    return;
  case Instruction::ZExt:
    if (from->isIntegerTy(1))
      return;
    if (from->isIntegerTy(32) || llvm::isa<llvm::LoadInst>(cast.getOperand(0)))
      fates_[&cast] = Fate::alias; // high half is the zero register; narrow loads extend
    return;
  case Instruction::SExt: {
    if (llvm::isa<llvm::LoadInst>(cast.getOperand(0)) && !cast.getType()->isIntegerTy(64)) {
      fates_[&cast] = Fate::alias;
      return;
    }
    if (!from->isIntegerTy(32) || cast.use_empty())
      return;
    for (const llvm::Use& use : cast.uses()) {
      const auto* user = llvm::dyn_cast<Instruction>(use.getUser());
      const bool factor = user && user->getType()->isIntegerTy(64) &&
                          (user->getOpcode() == Instruction::Mul || user->getOpcode() == Instruction::Shl) &&
                          is_extended_from_32(user->getOperand(0)) &&
                          is_extended_from_32(user->getOperand(1));
      if (!factor && !is_address_use(use))
        return;
    }
    fates_[&cast] = Fate::absorbed;
    return;
  }
  default:
    return;
  }
}

} // namespace forewarp::codegen
