// Floating-point arithmetic: fusion, packed half, division by accuracy.
#include "codegen/markers/expansions.h"
#include "codegen/nvidia/select/lowering.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <fmt/format.h>

namespace forewarp::codegen {

using llvm::Instruction;

namespace {

struct FloatOps {
  OpClass add, mul, fma;
};

FloatOps float_ops(unsigned width) {
  if (width == 64)
    return {OpClass::fp64_add, OpClass::fp64_mul, OpClass::fp64_fma};
  if (width == 16)
    return {OpClass::fp16_add, OpClass::fp16_mul, OpClass::fp16_fma};
  return {OpClass::fp32_add, OpClass::fp32_mul, OpClass::fp32_fma};
}

/// The float that is narrowed for the even place before this one's, where both go side by side into a vector.
const Instruction* narrowed_before(const Instruction& cast) {
  if (!cast.hasOneUse())
    return nullptr;
  const auto* into = llvm::dyn_cast<llvm::InsertElementInst>(*cast.user_begin());
  const auto* index = into ? llvm::dyn_cast<llvm::ConstantInt>(into->getOperand(2)) : nullptr;
  if (!index || into->getOperand(1) != &cast || index->getZExtValue() % 2 == 0)
    return nullptr;
  const auto* before = llvm::dyn_cast<llvm::InsertElementInst>(into->getOperand(0));
  const auto* place = before ? llvm::dyn_cast<llvm::ConstantInt>(before->getOperand(2)) : nullptr;
  if (!place || place->getZExtValue() + 1 != index->getZExtValue())
    return nullptr;
  const auto* other = llvm::dyn_cast<Instruction>(before->getOperand(1));
  return other && other->getOpcode() == Instruction::FPTrunc && other->hasOneUse() &&
                 other->getOperand(0)->getType() == cast.getOperand(0)->getType()
             ? other
             : nullptr;
}

bool is_only_widened(const Instruction& cast) {
  return !cast.use_empty() && std::all_of(cast.user_begin(), cast.user_end(), [](const llvm::User* user) {
    return llvm::isa<llvm::FPExtInst>(user);
  });
}

} // namespace

/// As the assembler does it for sm_75 to sm_100 (listings of one conversion each): a half is widened by
/// HADD2.F32, a bfloat16 by a shift, F2FP narrows two floats at once; a bfloat16 that is made only to be
/// widened again is made by F2F beside the special functions.
void Lowering::select_half_cast(const Instruction& instruction) {
  const bool narrows = instruction.getOpcode() == Instruction::FPTrunc;
  const llvm::Type* half =
      (narrows ? instruction.getType() : instruction.getOperand(0)->getType())->getScalarType();
  if (!narrows)
    return emit_each(instruction, {half->isBFloatTy()                  ? OpClass::int_shift
                                   : machine_.fp16_to_fp32_by_half_add ? OpClass::fp16_add
                                                                       : OpClass::cvt_32});
  if (!machine_.fp32_to_half_packed || (half->isBFloatTy() && is_only_widened(instruction)))
    return emit_each(instruction, {OpClass::cvt_32});
  if (const Instruction* before = narrowed_before(instruction)) {
    const auto made = values_.find(before);
    return define(instruction,
                  made != values_.end() ? made->second : registers_of(instruction.getOperand(0)));
  }
  emit_each(instruction, {OpClass::cvt_narrow});
}

Result<void> Lowering::select_float(const Instruction& instruction) {
  const FloatOps ops = float_ops(bits(instruction.getType()));
  switch (instruction.getOpcode()) {
  case Instruction::FMul:
    emit_each(instruction, {ops.mul});
    return {};
  case Instruction::FDiv:
    return select_float_division(instruction);
  case Instruction::FRem: {
    const std::vector<OpClass> made = expansion("fmod", bits(instruction.getType()) == 64 ? "f64" : "f32");
    emit_each(instruction, made);
    return {};
  }
  default: {
    bool fused = false;
    for (const llvm::Value* operand : instruction.operands())
      fused = fused || folding_.absorbed(operand);
    emit_each(instruction, {fused ? ops.fma : ops.add});
    return {};
  }
  }
}

bool Lowering::is_slow(const Instruction& division) const {
  const llvm::BasicBlock& block = *division.getParent();
  const facts::SlowDivision place = {
      block_index_.lookup(&block),
      static_cast<std::uint32_t>(std::distance(block.begin(), division.getIterator()))};
  return std::find(slow_divisions_.begin(), slow_divisions_.end(), place) != slow_divisions_.end();
}

/// !fpmath and the fast-math flags choose among the IEEE, the 2-ulp and the approximate division.
Result<void> Lowering::select_float_division(const Instruction& instruction) {
  const unsigned width = bits(instruction.getType());
  const auto* one = llvm::dyn_cast<llvm::ConstantFP>(instruction.getOperand(0));
  const bool reciprocal = one && one->isExactlyValue(1.0);
  std::string_view row = reciprocal ? "rcp" : "div";
  if (width <= 32) {
    const float ulps = llvm::cast<llvm::FPMathOperator>(instruction).getFPAccuracy();
    if (instruction.hasApproxFunc() || instruction.hasAllowReciprocal())
      row = reciprocal ? "rcp_approx" : "div_approx";
    else if (ulps >= 2.0F)
      row = reciprocal ? "rcp_approx" : "div_full";
  }
  std::vector<OpClass> made = expansion(row, width == 64 ? "f64" : float_);
  if (width == 32 && (row == "div" || row == "rcp") && is_slow(instruction)) {
    const std::vector<OpClass> slow = expansion("div_of_zero", "f32");
    made.insert(made.end(), slow.begin(), slow.end());
  }
  emit_each(instruction, made);
  return {};
}

} // namespace forewarp::codegen
