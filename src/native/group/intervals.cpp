#include "native/group/intervals.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace forewarp::native {
namespace {

/// Sums and products of what stays below are exact in 64 bits.
constexpr unsigned address_bits = 62, factor_bits = 32;

bool is_plain(const llvm::Instruction& at) {
  if (at.hasMetadata(llvm::LLVMContext::MD_invariant_load))
    return true;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&at))
    return call->doesNotAccessMemory() && !call->isConvergent();
  return llvm::isa<llvm::BinaryOperator>(at) || llvm::isa<llvm::CastInst>(at) ||
         llvm::isa<llvm::CmpInst>(at) || llvm::isa<llvm::GetElementPtrInst>(at) ||
         llvm::isa<llvm::SelectInst>(at);
}

} // namespace

Intervals::Intervals(llvm::IRBuilder<>& builder, const llvm::Function& item,
                     llvm::DenseMap<const llvm::Value*, llvm::Value*> same,
                     const std::array<llvm::Value*, 3>& size)
    : builder_(builder), layout_(item.getParent()->getDataLayout()), same_(std::move(same)),
      sound_(builder.getTrue()) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    same_[item.getArg(2 + axis)] = nullptr;
    llvm::Value* most =
        builder_.CreateZExt(builder_.CreateSub(size[axis], builder_.getInt32(1)), builder_.getInt64Ty());
    known_[item.getArg(2 + axis)] = Interval{builder_.getInt64(0), most};
  }
}

llvm::Value* Intervals::common(llvm::Value& value) {
  if (llvm::isa<llvm::Constant>(value))
    return &value;
  if (const auto known = same_.find(&value); known != same_.end())
    return known->second;
  auto* at = llvm::dyn_cast<llvm::Instruction>(&value);
  llvm::Value* made = nullptr;
  if (at && is_plain(*at)) {
    llvm::SmallVector<llvm::Value*, 4> operands;
    for (llvm::Value* operand : at->operands()) {
      if (llvm::isa<llvm::Function>(operand))
        operands.push_back(operand);
      else if (llvm::Value* part = common(*operand))
        operands.push_back(part);
    }
    if (operands.size() == at->getNumOperands()) {
      llvm::Instruction* copy = at->clone();
      for (unsigned k = 0; k < operands.size(); ++k)
        copy->setOperand(k, operands[k]);
      copy->dropPoisonGeneratingFlags(); // it is computed where the item may not have come
      made = builder_.Insert(copy);
    }
  }
  same_[&value] = made;
  return made;
}

Interval Intervals::fits(const Interval& interval, unsigned bits) {
  const std::int64_t end = std::int64_t{1} << (bits - 1);
  want(builder_.CreateICmpSGE(interval.least, builder_.getInt64(static_cast<std::uint64_t>(-end))));
  want(builder_.CreateICmpSLT(interval.most, builder_.getInt64(static_cast<std::uint64_t>(end))));
  return interval;
}

std::optional<Interval> Intervals::of(llvm::Value& value) {
  if (const auto known = known_.find(&value); known != known_.end())
    return known->second;
  std::optional<Interval> found;
  llvm::Type* type = value.getType();
  if (type->isPointerTy() ||
      (type->isIntegerTy() && type->getIntegerBitWidth() <= 64 && !type->isIntegerTy(1))) {
    if (llvm::Value* one = common(value)) {
      one = type->isPointerTy() ? builder_.CreatePtrToInt(one, builder_.getInt64Ty())
                                : builder_.CreateSExt(one, builder_.getInt64Ty());
      found = Interval{one, one};
      if (type->getScalarSizeInBits() > address_bits || type->isPointerTy())
        fits(*found, address_bits);
    } else {
      found = of_varying(value);
    }
  }
  known_[&value] = found;
  return found;
}

Interval Intervals::sum(const Interval& a, const Interval& b) {
  return {builder_.CreateAdd(a.least, b.least), builder_.CreateAdd(a.most, b.most)};
}

Interval Intervals::scaled(const Interval& by, llvm::Value* factor) {
  fits(by, factor_bits);
  fits({factor, factor}, factor_bits - 2);
  llvm::Value *a = builder_.CreateMul(by.least, factor), *b = builder_.CreateMul(by.most, factor);
  return {builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smin, a, b),
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, a, b)};
}

std::optional<Interval> Intervals::of_varying(llvm::Value& value) {
  if (auto* at = llvm::dyn_cast<llvm::GetElementPtrInst>(&value))
    return of_address(*at);
  if (auto* at = llvm::dyn_cast<llvm::BinaryOperator>(&value))
    return of_binary(*at);
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) {
    const auto from = of(*cast->getOperand(0));
    if (!from || (!cast->getSrcTy()->isIntOrPtrTy()))
      return {};
    if (llvm::isa<llvm::ZExtInst>(cast))
      want(builder_.CreateICmpSGE(from->least, builder_.getInt64(0)));
    if (llvm::isa<llvm::TruncInst>(cast))
      return fits(*from, cast->getType()->getScalarSizeInBits());
    return llvm::isa<llvm::ZExtInst>(cast) || llvm::isa<llvm::SExtInst>(cast) ||
                   llvm::isa<llvm::PtrToIntInst>(cast)
               ? from
               : std::nullopt;
  }
  return {};
}

std::optional<Interval> Intervals::of_binary(llvm::BinaryOperator& at) {
  const auto bits = std::min<unsigned>(at.getType()->getScalarSizeInBits(), address_bits);
  llvm::Value &left = *at.getOperand(0), &right = *at.getOperand(1);
  const auto* whole = llvm::dyn_cast<llvm::ConstantInt>(&right);
  const auto* joined = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&at);
  const auto a = of(left);
  if (!a)
    return {};
  switch (at.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Or: {
    const auto b = of(right);
    return b && (at.getOpcode() == llvm::Instruction::Add || (joined && joined->isDisjoint()))
               ? std::optional(fits(sum(*a, *b), bits))
               : std::nullopt;
  }
  case llvm::Instruction::Sub: {
    const auto b = of(right);
    return b ? std::optional(
                   fits({builder_.CreateSub(a->least, b->most), builder_.CreateSub(a->most, b->least)}, bits))
             : std::nullopt;
  }
  case llvm::Instruction::Mul: {
    const auto b = of(right);
    if (b && b->least == b->most)
      return fits(scaled(*a, b->least), bits);
    return b && a->least == a->most ? std::optional(fits(scaled(*b, a->least), bits)) : std::nullopt;
  }
  case llvm::Instruction::Shl:
    return whole && whole->getZExtValue() < factor_bits - 3
               ? std::optional(
                     fits(scaled(*a, builder_.getInt64(std::uint64_t{1} << whole->getZExtValue())), bits))
               : std::nullopt;
  case llvm::Instruction::And: // with a number that is not negative
    return whole && !whole->isNegative() && whole->getBitWidth() <= 64
               ? std::optional(Interval{builder_.getInt64(0), builder_.getInt64(whole->getZExtValue())})
               : std::nullopt;
  case llvm::Instruction::LShr:
    want(builder_.CreateICmpSGE(a->least, builder_.getInt64(0)));
    [[fallthrough]];
  case llvm::Instruction::AShr:
    return whole && whole->getZExtValue() < bits
               ? std::optional(Interval{builder_.CreateAShr(a->least, whole->getZExtValue()),
                                        builder_.CreateAShr(a->most, whole->getZExtValue())})
               : std::nullopt;
  default:
    return {};
  }
}

std::optional<Interval> Intervals::of_address(llvm::GetElementPtrInst& at) {
  llvm::MapVector<llvm::Value*, llvm::APInt> parts;
  llvm::APInt fixed(64, 0);
  auto out = of(*at.getPointerOperand());
  if (!out || !llvm::cast<llvm::GEPOperator>(at).collectOffset(layout_, 64, parts, fixed))
    return {};
  for (const auto& [part, bytes] : parts) {
    const auto index = of(*part);
    if (!index)
      return {};
    out = sum(*out, scaled(*index, builder_.getInt64(bytes.getZExtValue())));
  }
  llvm::Value* more = builder_.getInt64(fixed.getZExtValue());
  return fits(sum(*out, {more, more}), address_bits);
}

} // namespace forewarp::native
