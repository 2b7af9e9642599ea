#include "symbolic/kernel/kernel_reader.h"

#include <llvm/IR/Operator.h>

namespace forewarp::symbolic {
namespace {

/// Every symbol from 0 on.
bool is_surely_not_negative(const Expression& a) {
  Ranges ranges;
  for (const std::string& name : a.symbols())
    ranges[name] = {Rational(0), std::nullopt};
  return never_negative(a, ranges);
}

} // namespace

KernelReader::Place KernelReader::place_of(const llvm::Value* value) const {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction == nullptr ? computed_at_ : Place{numbers_.lookup(instruction->getParent())};
}

void KernelReader::must_fit(const Expression& value, unsigned bits, bool is_signed) {
  if (!value.known() || value.constant() || bits < 16)
    return;
  for (const Fit& fit : fits_)
    if (fit.bits == bits && fit.is_signed == is_signed && fit.block == computed_at_.block &&
        fit.loop == computed_at_.loop && fit.value == value)
      return;
  fits_.push_back({value, bits, is_signed, computed_at_.block, computed_at_.loop});
}

void KernelReader::must_be_positive(const Expression& value) {
  must_fit(value - Expression(1), 64, false);
}

void KernelReader::must_be_near(const Expression& difference, unsigned bits) {
  must_fit(difference, bits + 1, true);
}

Expression KernelReader::wrapped(const Expression& value, unsigned bits) {
  const Rational all{Wide(1) << bits}, half{Wide(1) << (bits - 1)};
  return modulo(value + Expression(half), Expression(all)) - Expression(half);
}

Expression KernelReader::shifted_down(const llvm::Instruction& shift, unsigned depth) {
  const unsigned bits = shift.getType()->getIntegerBitWidth();
  Expression from = value(shift.getOperand(0), depth + 1);
  const Expression by = value(shift.getOperand(1), depth + 1);
  // What is shifted up first, or multiplied, may be meant to wrap, as a conversion to a short number does.
  const bool is_signed = shift.getOpcode() == llvm::Instruction::AShr;
  const auto* made = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(shift.getOperand(0));
  const bool may_wrap =
      made != nullptr &&
      (made->getOpcode() == llvm::Instruction::Mul || made->getOpcode() == llvm::Instruction::Shl) &&
      !(is_signed ? made->hasNoSignedWrap() : made->hasNoUnsignedWrap());
  if (!may_wrap || !by.constant() || bits > 64)
    must_fit(from, bits, is_signed);
  else
    from = is_signed ? wrapped(from, bits) : modulo(from, Expression(Rational(Wide(1) << bits)));
  return floor_div(from, power_of_two(by));
}

Expression KernelReader::divided(const llvm::Instruction& division, bool remainder, unsigned depth) {
  const Expression above = value(division.getOperand(0), depth + 1);
  Expression below = value(division.getOperand(1), depth + 1);
  const bool is_signed =
      division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
  const auto number = below.constant();
  const bool negated = is_signed && number && number->sign() < 0; // a / -b is -(a / b), a % -b is a % b
  if (negated)
    below = -below;
  must_fit(above, division.getType()->getIntegerBitWidth(), false);
  must_be_positive(below);
  if (remainder)
    return modulo(above, below);
  return negated ? -floor_div(above, below) : floor_div(above, below);
}

Condition KernelReader::unsigned_order(const Expression& a, const Expression& b, bool strictly, unsigned bits,
                                       const facts::SourceLocation& where) {
  const auto not_negative = [&](const Expression& value) {
    return Condition::of({Comparison::Kind::not_negative, value, where});
  };
  Condition in_order = not_negative(b - a - Expression(strictly ? 1 : 0));
  const bool a_is_positive = is_surely_not_negative(a), b_is_positive = is_surely_not_negative(b);
  if (a_is_positive == b_is_positive || of_a_bound_) {
    must_fit(a, bits, false);
    must_fit(b, bits, false);
    return in_order;
  }
  // Below zero as a number is a large one without sign: a - low < high - low asks for
  // low <= a < high.
  must_fit(a, a_is_positive ? bits - 1 : bits, !a_is_positive);
  must_fit(b, b_is_positive ? bits - 1 : bits, !b_is_positive);
  return b_is_positive ? both(not_negative(a), in_order) : either(not_negative(Expression(-1) - b), in_order);
}

Condition KernelReader::comparison(const llvm::ICmpInst& compare, bool negated, unsigned depth) {
  if (!compare.getOperand(0)->getType()->isIntegerTy())
    return unknown(&compare, negated);
  const AtPlace here(*this, place_of(&compare));
  const llvm::CmpInst::Predicate predicate = negated ? compare.getInversePredicate() : compare.getPredicate();
  Expression a = value(compare.getOperand(0), depth + 1), b = value(compare.getOperand(1), depth + 1);
  if (!(a - b).known())
    return unknown(&compare, negated);
  const unsigned bits = compare.getOperand(0)->getType()->getIntegerBitWidth();
  const bool is_signed = llvm::CmpInst::isSigned(predicate);
  if (!is_word(bits) && bits > 1) { // shorter numbers wrap
    a = extended(a, bits, is_signed);
    b = extended(b, bits, is_signed);
  } else if (is_signed) {
    must_fit(a, bits, true);
    must_fit(b, bits, true);
  }
  const facts::SourceLocation where = place(&compare);
  const auto not_negative = [&](const Expression& value) {
    return Condition::of({Comparison::Kind::not_negative, value, where});
  };
  Condition result;
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
  case llvm::CmpInst::ICMP_NE:
    must_be_near(a - b, bits);
    result = Condition::of(
        {predicate == llvm::CmpInst::ICMP_EQ ? Comparison::Kind::zero : Comparison::Kind::not_zero, a - b,
         where});
    break;
  case llvm::CmpInst::ICMP_SGT:
    result = not_negative(a - b - Expression(1));
    break;
  case llvm::CmpInst::ICMP_SGE:
    result = not_negative(a - b);
    break;
  case llvm::CmpInst::ICMP_SLT:
    result = not_negative(b - a - Expression(1));
    break;
  case llvm::CmpInst::ICMP_SLE:
    result = not_negative(b - a);
    break;
  case llvm::CmpInst::ICMP_UGT:
    result = unsigned_order(b, a, true, bits, where);
    break;
  case llvm::CmpInst::ICMP_UGE:
    result = unsigned_order(b, a, false, bits, where);
    break;
  case llvm::CmpInst::ICMP_ULT:
    result = unsigned_order(a, b, true, bits, where);
    break;
  case llvm::CmpInst::ICMP_ULE:
    result = unsigned_order(a, b, false, bits, where);
    break;
  default:
    return unknown(&compare, negated);
  }
  return simplify(result, {}, {});
}

} // namespace forewarp::symbolic
