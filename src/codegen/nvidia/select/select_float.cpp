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

} // namespace

Result<void> Lowering::select_float(const Instruction& instruction) {
  const FloatOps ops = float_ops(bits(instruction.getType()));
  switch (instruction.getOpcode()) {
  case Instruction::FMul:
    emit_each(instruction, {ops.mul});
    return {};
  case Instruction::FDiv:
    return select_float_division(instruction);
  case Instruction::FRem: {
    const std::string_view type = bits(instruction.getType()) == 64 ? "f64" : "f32";
    const std::vector<OpClass> made = expansion("fmod", type);
    emit_each(instruction, made, beside("fmod", type));
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
  emit_each(instruction, made, beside(row, width == 64 ? "f64" : float_));
  return {};
}

} // namespace forewarp::codegen
