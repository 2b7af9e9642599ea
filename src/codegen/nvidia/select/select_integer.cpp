// Integer arithmetic, logic, compares, selects and conversions.
#include "codegen/markers/expansions.h"
#include "codegen/nvidia/select/lowering.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/PatternMatch.h>

#include <fmt/format.h>

#include <utility>

namespace forewarp::codegen {

using llvm::Instruction;

namespace {

const llvm::ConstantInt* constant_operand(const Instruction& instruction, unsigned index) {
  const llvm::Value* operand = instruction.getOperand(index);
  if (const auto* vector = llvm::dyn_cast<llvm::Constant>(operand);
      vector && operand->getType()->isVectorTy())
    operand = vector->getSplatValue();
  return operand ? llvm::dyn_cast<llvm::ConstantInt>(operand) : nullptr;
}

std::vector<OpClass> repeat(OpClass op, unsigned count) {
  return std::vector<OpClass>(count, op);
}

/// Multiply and shift that stand for a division by a constant (Granlund and Montgomery 1994), as the
/// assembler makes it.
std::vector<OpClass> constant_division(const llvm::ConstantInt& divisor, bool is_signed, bool remainder,
                                       bool wide) {
  const bool power = divisor.getValue().abs().isPowerOf2();
  std::vector<OpClass> ops;
  if (power && !is_signed)
    ops = {remainder ? OpClass::int_logic : OpClass::int_shift};
  else if (power)
    ops = remainder ? std::vector{OpClass::int_shift, OpClass::int_add, OpClass::int_logic, OpClass::int_add}
                    : std::vector{OpClass::int_shift, OpClass::int_add, OpClass::int_shift};
  else
    ops = {OpClass::int_mul_hi, OpClass::int_shift, OpClass::int_add};
  if (!power && remainder)
    ops.push_back(OpClass::int_mul);
  if (!wide)
    return ops;
  if (power)
    return repeat(ops.front(), static_cast<unsigned>(2 * ops.size()));
  std::vector<OpClass> long_ops = repeat(OpClass::int_mul_wide, 5);
  long_ops.insert(long_ops.end(),
                  {OpClass::int_add, OpClass::int_add, OpClass::int_shift, OpClass::int_shift});
  if (remainder)
    long_ops.insert(long_ops.end(), {OpClass::int_mul_wide, OpClass::int_mul, OpClass::int_add});
  return long_ops;
}

} // namespace

void Lowering::select_integer(const Instruction& instruction) {
  const unsigned wide = bits(instruction.getType()) > 32 ? 2 : 1;
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub: {
    const auto taken_in = [&](const llvm::Value* operand) { return folding_.absorbed(operand); };
    const bool plain = llvm::none_of(instruction.operands(), taken_in);
    if (plain && wide == 2) {
      emit_each(instruction, {OpClass::int_add, plain_addition()}); // IADD3 and its carry: IADD3.X or IMAD.X
      return;
    }
    OpClass op = plain ? plain_addition() : OpClass::int_add;
    for (const llvm::Value* operand : instruction.operands())
      if (const auto* inner = llvm::dyn_cast<Instruction>(operand); inner && folding_.absorbed(inner)) {
        if (inner->getOpcode() == Instruction::Mul)
          op = wide == 2 ? OpClass::int_mul_wide : OpClass::int_mul;
        else if (wide == 2 && inner->getOpcode() == Instruction::Shl)
          op = OpClass::int_mul_wide; // base + (extended << n): IMAD.WIDE
      }
    emit_each(instruction, repeat(op, op == OpClass::int_mul_wide ? 1 : wide));
    return;
  }
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: {
    if (folding_.absorbed(instruction.getOperand(0))) { // byte or half-word with its sign
      emit_each(instruction, {OpClass::int_bitfield});
      return;
    }
    if (wide == 2)
      if (const auto* amount = constant_operand(instruction, 1); amount && amount->getZExtValue() >= 32) {
        emit_each(instruction, repeat(OpClass::int_shift, 1)); // one half only moves
        return;
      }
    emit_each(instruction, repeat(OpClass::int_shift, wide));
    return;
  }
  default:
    if (bits(instruction.getType()) == 1) {
      const bool merged =
          folding_.absorbed(instruction.getOperand(0)) || folding_.absorbed(instruction.getOperand(1));
      emit_each(instruction, {merged ? OpClass::int_minmax_cmp : OpClass::int_logic});
      return;
    }
    emit_each(instruction, repeat(OpClass::int_logic, wide));
  }
}

void Lowering::select_multiply(const Instruction& instruction) {
  const unsigned width = bits(instruction.getType());
  const auto* constant = constant_operand(instruction, 1);
  if (constant && constant->getValue().isPowerOf2()) {
    emit_each(instruction, repeat(OpClass::int_shift, width > 32 ? 2 : 1));
    return;
  }
  if (width <= 32) {
    emit_each(instruction, {OpClass::int_mul});
    return;
  }
  const bool narrow =
      is_extended_from_32(instruction.getOperand(0)) && is_extended_from_32(instruction.getOperand(1));
  if (narrow)
    emit_each(instruction,
              {only_high_half_is_used(instruction) ? OpClass::int_mul_hi : OpClass::int_mul_wide});
  else
    emit_each(instruction, {OpClass::int_mul, OpClass::int_mul_wide, OpClass::int_mul, OpClass::int_add});
}

Result<void> Lowering::select_division(const Instruction& instruction) {
  const bool is_signed =
      instruction.getOpcode() == Instruction::SDiv || instruction.getOpcode() == Instruction::SRem;
  const bool remainder =
      instruction.getOpcode() == Instruction::URem || instruction.getOpcode() == Instruction::SRem;
  const bool wide = bits(instruction.getType()) > 32;
  if (const auto* divisor = constant_operand(instruction, 1)) {
    emit_each(instruction, constant_division(*divisor, is_signed, remainder, wide));
    return {};
  }
  // The assembler does not make a multiplication of a division by a number that it computed itself, but
  // leaves out what looks after the divisor's sign.
  const bool with_sign = is_signed && !folding_.known(instruction.getOperand(1));
  const std::string type = fmt::format("{}{}", with_sign ? "i" : "u", wide ? 64 : 32);
  if (!wide && nvidia_ && components(instruction.getType()) == 1) {
    Registers sources = {prepared_divisor(*instruction.getOperand(1), type)};
    sources.append(sources_of(instruction));
    const std::string_view rest = remainder ? "rem_rest" : "div_rest";
    define(instruction,
           emit_chain(expansion(rest, type), sources, instruction.getType(), beside(rest, type)));
    return {};
  }
  const std::string_view row = remainder ? "rem" : "div";
  emit_each(instruction, expansion(row, type), beside(row, type));
  return {};
}

/// The block in front of the loop, if it has no loop inside and what the division at hand computes of its
/// divisor goes there: the loop does not change the divisor and divides in every iteration. Of more than two
/// such divisors the first alone goes (ptxas 13.0, sm_86: ten loops of ours; three arguments went all, which
/// is not modelled).
const llvm::BasicBlock* Lowering::block_before_loop(const llvm::Value& divisor) const {
  constexpr std::size_t most = 2;
  const llvm::Loop* loop = loops_.getLoopFor(current_->getParent());
  if (loop == nullptr || !loop->isInnermost() || loop->getLoopPreheader() == nullptr ||
      loop->getLoopLatch() == nullptr)
    return nullptr;
  llvm::SmallVector<const llvm::Value*, 4> prepared;
  for (const llvm::BasicBlock* block : loop->blocks()) {
    if (!dominators_.dominates(block, loop->getLoopLatch()))
      continue;
    for (const Instruction& one : *block)
      if (one.isIntDivRem() && bits(one.getType()) <= 32 && constant_operand(one, 1) == nullptr &&
          loop->isLoopInvariant(one.getOperand(1)) && !llvm::is_contained(prepared, one.getOperand(1)))
        prepared.push_back(one.getOperand(1));
  }
  const auto at = llvm::find(prepared, &divisor);
  const bool goes = at != prepared.end() && (prepared.size() <= most || at == prepared.begin());
  return goes ? loop->getLoopPreheader() : nullptr;
}

/// What a division of 32 bits computes of the divisor alone, once for all that share it.
std::uint32_t Lowering::prepared_divisor(const llvm::Value& divisor, const std::string& type) {
  const llvm::BasicBlock* at = current_->getParent();
  for (const PreparedDivisor& known : prepared_divisors_)
    if (known.divisor == &divisor && known.type == type && dominators_.dominates(known.block, at))
      return known.made;
  if (const llvm::BasicBlock* before = block_before_loop(divisor))
    at = before;
  llvm::SmallVector<std::uint32_t, 4> sources;
  collect(&divisor, sources);
  facts::MachineBlock* here = std::exchange(block_, &program_->blocks[block_index_[at]]);
  const std::uint32_t made = emit_chain(expansion("divisor", type), sources, divisor.getType()).front();
  block_ = here;
  prepared_divisors_.push_back({&divisor, type, at, made});
  return made;
}

void Lowering::select_compare(const Instruction& instruction) {
  const llvm::Type* type = instruction.getOperand(0)->getType();
  if (type->isFPOrFPVectorTy()) {
    emit_each(instruction, {bits(type) == 64 ? OpClass::fp64_minmax_cmp : OpClass::fp32_minmax_cmp});
    return;
  }
  emit_each(instruction, repeat(OpClass::int_minmax_cmp, bits(type) > 32 ? 2 : 1));
}

void Lowering::select_select(const Instruction& instruction) {
  const llvm::Type* type = instruction.getType();
  if (bits(type) == 1) {
    const bool merged = folding_.absorbed(instruction.getOperand(0)) ||
                        folding_.absorbed(instruction.getOperand(1)) ||
                        folding_.absorbed(instruction.getOperand(2));
    emit_each(instruction, {merged ? OpClass::int_minmax_cmp : OpClass::int_logic});
    return;
  }
  const OpClass op = type->getScalarType()->isFloatTy() ? OpClass::fp32_minmax_cmp : OpClass::int_minmax_cmp;
  emit_each(instruction, repeat(op, (bits(type) + 31) / 32));
}

/// Between halves and floats; nvdisasm 13 of what ptxas 11.7 and 13.0 make shows which operation is whose.
facts::OpClass Lowering::half_conversion(const Instruction& instruction) const {
  using gpu::HalfConversions;
  const HalfConversions rule = machine_.compiler.half_conversions;
  const llvm::Type* from = instruction.getOperand(0)->getType()->getScalarType();
  const llvm::Type* to = instruction.getType()->getScalarType();
  if (from->isHalfTy() && to->isFloatTy() && rule != HalfConversions::converting)
    return OpClass::fp16_add;
  if (from->isBFloatTy() && to->isFloatTy())
    return OpClass::int_shift;
  if (from->isFloatTy() && to->is16bitFPTy() && rule == HalfConversions::packed)
    return OpClass::cvt_narrow;
  return OpClass::cvt_32;
}

/// Integers of at most 32 bits to floats where the integer pipe converts: nvdisasm 13 of what ptxas 11.5 to
/// 13.0 make for compute capability 8.6 to 12.0 (I2FP; the converting pipe reads parts of a register itself,
/// I2F.S8.B1). Short ones go there since 13.0 only.
llvm::SmallVector<facts::OpClass, 2> Lowering::conversion_to_float(const Instruction& instruction) const {
  const llvm::Value* source = instruction.getOperand(0);
  const unsigned width = bits(source->getType()->getScalarType());
  if (width > 16)
    return {OpClass::cvt_narrow};
  if (!machine_.short_to_fp32_on_alu)
    return {OpClass::cvt_32};
  const bool is_part = source->getType()->isVectorTy() || llvm::isa<llvm::ExtractElementInst>(source);
  if (llvm::isa<llvm::SIToFPInst>(instruction) || (is_part && width == 16))
    return {OpClass::cvt_32};
  if (is_part)
    return {OpClass::int_logic, OpClass::cvt_narrow}; // PRMT takes the byte out
  return {OpClass::cvt_narrow};
}

void Lowering::select_cast(const Instruction& instruction) {
  const llvm::Type* from = instruction.getOperand(0)->getType();
  const llvm::Type* to = instruction.getType();
  const bool wide = bits(from) > 32 || bits(to) > 32;
  switch (instruction.getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt:
    if (bits(from) == 1)
      emit_each(instruction, {OpClass::int_minmax_cmp}); // select 1 : 0
    else if (bits(from) == 32)
      emit_each(instruction, {OpClass::int_shift}); // sign word
    else if (instruction.getOpcode() == Instruction::ZExt)
      emit_each(instruction, {OpClass::int_logic});
    else if (wide)
      emit_each(instruction, {OpClass::int_bitfield, OpClass::int_shift});
    else
      emit_each(instruction, {OpClass::int_bitfield});
    return;
  case Instruction::Trunc: // to a predicate
    emit_each(instruction, {OpClass::int_logic});
    return;
  case Instruction::FPTrunc:
    if (const Instruction* first = folding_.made_by(instruction)) {
      define(instruction, registers_of(first));
      return;
    }
    [[fallthrough]];
  case Instruction::FPExt:
    emit_each(instruction, {wide ? OpClass::cvt_64 : half_conversion(instruction)});
    return;
  default:
    if (!wide && machine_.int_to_fp32_on_alu && to->getScalarType()->isFloatTy() &&
        llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(instruction))
      emit_each(instruction, conversion_to_float(instruction));
    else
      emit_each(instruction, {wide ? OpClass::cvt_64 : OpClass::cvt_32});
  }
}

} // namespace forewarp::codegen
