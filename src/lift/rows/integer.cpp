// Integer arithmetic of the vector and the uniform datapath.
#include "lift/rows/rows.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

/// A summand of a carry chain: in 64 bits, -x counted as ~x + 1.
Value* summand(Lifter& l, const Operand* operand) {
  auto& b = l.b;
  if (operand == nullptr)
    return b.getInt64(0);
  if (!operand->negate)
    return b.CreateZExt(l.u32(operand), b.getInt64Ty());
  if (operand->is_zero())
    return b.getInt64(0);
  return b.CreateAdd(b.CreateZExt(b.CreateNot(l.raw(operand)), b.getInt64Ty()), b.getInt64(1));
}

bool of_halves(const Lifter& l) {
  return l.has(M::w16x2) || l.has(M::u16x2) || l.has(M::s16x2);
}

/// A word whose halves are `made` of the halves of both.
template <typename Make> Value* by_halves(Lifter& l, Value* x, Value* y, const Make& make) {
  auto& b = l.b;
  const auto of_half = [&](unsigned half) {
    const auto part = [&](Value* value) {
      Value* bits = b.CreateTrunc(b.CreateLShr(value, 16 * half), b.getInt16Ty());
      return l.has(M::u16x2) ? b.CreateZExt(bits, b.getInt32Ty()) : b.CreateSExt(bits, b.getInt32Ty());
    };
    return b.CreateAnd(make(part(x), part(y)), l.word(0xffff));
  };
  return b.CreateOr(of_half(0), b.CreateShl(of_half(1), 16));
}

void add(Lifter& l) {
  auto& b = l.b;
  if (of_halves(l))
    return l.set(l.result(0), by_halves(l, l.u32(l.source(0)), l.u32(l.source(1)),
                                        [&](Value* x, Value* y) { return b.CreateAdd(x, y); }));
  if (l.has(M::w64)) {
    Value* sum = b.CreateAdd(l.u64(l.source(0)), l.u64(l.source(1)));
    if (l.source_count() > 2)
      sum = b.CreateAdd(sum, l.u64(l.source(2)));
    if (l.result_predicate(0) != nullptr || l.has(M::x))
      return l.refuse("a carry of 64-bit sums");
    return l.set64(l.result(0), sum);
  }
  const unsigned count = std::min(l.source_count(), 3U);
  Value* carries[2] = {nullptr, nullptr};
  if (l.has(M::x)) {
    carries[0] = l.predicate(l.source_predicate(0), false);
    carries[1] = count > 2 ? l.predicate(l.source_predicate(1), false) : b.getFalse();
  }
  if (l.result_predicate(0) == nullptr && l.result_predicate(1) == nullptr) {
    Value* sum = l.u32(l.source(0));
    for (unsigned k = 1; k < count; ++k)
      sum = b.CreateAdd(sum, l.u32(l.source(k)));
    for (Value* carry : carries)
      if (carry != nullptr)
        sum = b.CreateAdd(sum, b.CreateZExt(carry, b.getInt32Ty()));
    return l.set(l.result(0), sum);
  }
  Value* sum = summand(l, l.source(0));
  for (unsigned k = 1; k < count; ++k)
    sum = b.CreateAdd(sum, summand(l, l.source(k)));
  for (Value* carry : carries)
    if (carry != nullptr)
      sum = b.CreateAdd(sum, b.CreateZExt(carry, b.getInt64Ty()));
  Value* above = b.CreateLShr(sum, 32);
  l.set(l.result(0), l.low(sum));
  l.set_predicate(l.result_predicate(0), b.CreateICmpNE(above, b.getInt64(0)));
  l.set_predicate(l.result_predicate(1), b.CreateICmpUGT(above, b.getInt64(1)));
}

Value* widened(Lifter& l, const Operand* operand) {
  Value* value = l.u32(operand);
  return l.has(M::u32) ? l.b.CreateZExt(value, l.b.getInt64Ty()) : l.b.CreateSExt(value, l.b.getInt64Ty());
}

void multiply_add(Lifter& l) {
  auto& b = l.b;
  const Operand *x = l.source(0), *y = l.source(1), *z = l.source(2);
  if (l.has(M::wide) || l.has(M::hi)) {
    Value* product = b.CreateMul(widened(l, x), widened(l, y));
    Value* sum = b.CreateAdd(product, l.u64(z));
    if (l.has(M::x))
      sum = b.CreateAdd(sum, b.CreateZExt(l.predicate(l.source_predicate(0), false), b.getInt64Ty()));
    if (l.has(M::hi)) {
      // A carry out of the upper word is the predicate's, as a product's upper word leaves room for one.
      l.set(l.result(0), l.high(sum));
    } else {
      l.set64(l.result(0), sum);
    }
    return l.set_predicate(l.result_predicate(0), b.CreateICmpULT(sum, product));
  }
  if (l.result_predicate(0) != nullptr) {
    Value* product = b.CreateZExt(b.CreateMul(l.u32(x), l.u32(y)), b.getInt64Ty());
    Value* sum = b.CreateAdd(product, summand(l, z));
    if (l.has(M::x))
      sum = b.CreateAdd(sum, b.CreateZExt(l.predicate(l.source_predicate(0), false), b.getInt64Ty()));
    l.set(l.result(0), l.low(sum));
    return l.set_predicate(l.result_predicate(0), b.CreateICmpNE(b.CreateLShr(sum, 32), b.getInt64(0)));
  }
  Value* sum = b.CreateAdd(b.CreateMul(l.u32(x), l.u32(y)), l.u32(z));
  if (l.has(M::x))
    sum = b.CreateAdd(sum, b.CreateZExt(l.predicate(l.source_predicate(0), false), b.getInt32Ty()));
  l.set(l.result(0), sum);
}

/// The shift by an immediate is the last source; `.HI` has the upper word of {c:a} before it.
void shift_add(Lifter& l) {
  auto& b = l.b;
  const unsigned count = l.source_count();
  const Operand *x = l.source(0), *y = l.source(1), *amount = l.source(count - 1);
  if (amount->kind != OperandKind::immediate)
    return l.refuse("a shift by a register");
  const unsigned by = static_cast<unsigned>(amount->value & 31);
  Value* shifted = nullptr;
  if (l.has(M::hi)) {
    Value* upper = l.has(M::sx32) ? b.CreateAShr(l.u32(x), 31) : l.u32(count > 3 ? l.source(2) : nullptr);
    if (x->negate)
      return l.refuse("a negated pair");
    shifted = l.low(b.CreateLShr(l.pair(l.u32(x), upper), 32 - by));
  } else {
    shifted = b.CreateShl(l.u32(x), by);
  }
  Value* carry = l.has(M::x) ? l.predicate(l.source_predicate(0), false) : b.getFalse();
  if (l.result_predicate(0) == nullptr) {
    Value* sum = b.CreateAdd(shifted, l.u32(y));
    return l.set(l.result(0), l.has(M::x) ? b.CreateAdd(sum, b.CreateZExt(carry, b.getInt32Ty())) : sum);
  }
  Value* sum = b.CreateAdd(b.CreateZExt(shifted, b.getInt64Ty()), summand(l, y));
  sum = b.CreateAdd(sum, b.CreateZExt(carry, b.getInt64Ty()));
  l.set(l.result(0), l.low(sum));
  l.set_predicate(l.result_predicate(0), b.CreateICmpNE(b.CreateLShr(sum, 32), b.getInt64(0)));
}

std::optional<llvm::CmpInst::Predicate> comparison(const Lifter& l, bool is_signed) {
  using P = llvm::CmpInst;
  if (l.has(M::lt))
    return is_signed ? P::ICMP_SLT : P::ICMP_ULT;
  if (l.has(M::le))
    return is_signed ? P::ICMP_SLE : P::ICMP_ULE;
  if (l.has(M::gt))
    return is_signed ? P::ICMP_SGT : P::ICMP_UGT;
  if (l.has(M::ge))
    return is_signed ? P::ICMP_SGE : P::ICMP_UGE;
  if (l.has(M::eq))
    return P::ICMP_EQ;
  if (l.has(M::ne))
    return P::ICMP_NE;
  return std::nullopt;
}

void compare(Lifter& l) {
  auto& b = l.b;
  const bool is_signed = !l.has(M::u32) && !l.has(M::u64);
  Value *x = nullptr, *y = nullptr;
  if (l.has(M::w64) || l.has(M::u64) || l.has(M::s64)) {
    x = l.u64(l.source(0));
    y = l.u64(l.source(1));
  } else {
    x = l.u32(l.source(0));
    y = l.u32(l.source(1));
  }
  Value* answer = nullptr;
  if (const auto kind = comparison(l, is_signed))
    answer = b.CreateICmp(*kind, x, y);
  else if (l.has(M::t) || l.has(M::f))
    answer = b.getInt1(l.has(M::t));
  else
    return l.refuse("its comparison");
  if (l.has(M::ex)) // of upper words: equal ones leave it to the lower
    answer = b.CreateSelect(b.CreateICmpEQ(x, y), l.predicate(l.source_predicate(1), true), answer);
  set_comparison(l, answer);
}

Value* least_or_most(Lifter& l, Value* x, Value* y, Value* least) {
  auto& b = l.b;
  const bool is_signed = !l.has(M::u32) && !l.has(M::u64) && !l.has(M::u16x2);
  Value* low = b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
  Value* high = b.CreateBinaryIntrinsic(is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
  return b.CreateSelect(least, low, high);
}

Value* chosen_of_words(Lifter& l, Value* x, Value* y, Value* least) {
  const auto of_two = [&](Value* one, Value* other) { return least_or_most(l, one, other, least); };
  return of_halves(l) ? by_halves(l, x, y, of_two) : of_two(x, y);
}

void set_least_or_most(Lifter& l, Value* value) {
  if (l.has(M::relu) && of_halves(l))
    return l.refuse("halves with .RELU");
  if (l.has(M::relu))
    value = l.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, l.word(0));
  l.set(l.result(0), value);
}

void minimum(Lifter& l) {
  Value* least = l.predicate(l.source_predicate(0), true);
  if (l.has(M::u64) || l.has(M::s64)) {
    if (l.result_predicate(0) != nullptr || l.result_predicate(1) != nullptr)
      return l.refuse("a choice that sets predicates");
    return l.set64(l.result(0), least_or_most(l, l.u64(l.source(0)), l.u64(l.source(1)), least));
  }
  set_least_or_most(l, chosen_of_words(l, l.u32(l.source(0)), l.u32(l.source(1)), least));
}
void minimum_of_three(Lifter& l) {
  Value* least = l.predicate(l.source_predicate(0), true);
  Value* two = chosen_of_words(l, l.u32(l.source(0)), l.u32(l.source(1)), least);
  set_least_or_most(l, chosen_of_words(l, two, l.u32(l.source(2)), least));
}
void minimum_of_sum(Lifter& l) {
  const auto add_words = [&](Value* x, Value* y) { return l.b.CreateAdd(x, y); };
  Value *x = l.u32(l.source(0)), *y = l.u32(l.source(1));
  Value* sum = of_halves(l) ? by_halves(l, x, y, add_words) : add_words(x, y);
  set_least_or_most(l, chosen_of_words(l, sum, l.u32(l.source(2)), l.predicate(l.source_predicate(0), true)));
}

void magnitude(Lifter& l) {
  l.set(l.result(0), l.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, l.u32(l.source(0)), l.b.getFalse()));
}

void choose(Lifter& l) {
  Value* chosen = l.predicate(l.source_predicate(0), true);
  if (l.has(M::w64))
    return l.set64(l.result(0), l.b.CreateSelect(chosen, l.u64(l.source(0)), l.u64(l.source(1))));
  l.set(l.result(0), l.b.CreateSelect(chosen, l.u32(l.source(0)), l.u32(l.source(1))));
}

void move(Lifter& l) {
  if (l.has(M::w64))
    return l.set64(l.result(0), l.u64(l.source(0)));
  l.set(l.result(0), l.u32(l.source(0)));
}

void dot_of_bytes(Lifter& l) {
  const auto& modifiers = l.at().modifiers;
  const bool both_unsigned = std::count(modifiers.begin(), modifiers.end(), M::u8) == 2;
  if (!l.has(M::w4a) || (!both_unsigned && l.has(M::u8)))
    return l.refuse("factors of this kind");
  l.set(l.result(0), l.call(both_unsigned ? "forewarp.dot4.u" : "forewarp.dot4.s", l.b.getInt32Ty(),
                            {l.u32(l.source(0)), l.u32(l.source(1)), l.u32(l.source(2))}));
}

constexpr OpcodeRow integer_row_list[] = {
    {Opcode::iadd3, add},
    {Opcode::iadd, add},
    {Opcode::viadd, add},
    {Opcode::uiadd3, add},
    {Opcode::uviadd, add},
    {Opcode::imad, multiply_add},
    {Opcode::uimad, multiply_add},
    {Opcode::lea, shift_add},
    {Opcode::ulea, shift_add},
    {Opcode::isetp, compare},
    {Opcode::uisetp, compare},
    {Opcode::imnmx, minimum},
    {Opcode::vimnmx, minimum},
    {Opcode::uvimnmx, minimum},
    {Opcode::uimnmx, minimum},
    {Opcode::vimnmx3, minimum_of_three},
    {Opcode::viaddmnmx, minimum_of_sum},
    {Opcode::iabs, magnitude},
    {Opcode::uiabs, magnitude},
    {Opcode::sel, choose},
    {Opcode::usel, choose},
    {Opcode::mov, move},
    {Opcode::umov, move},
    {Opcode::idp, dot_of_bytes},
};

} // namespace

std::span<const OpcodeRow> integer_rows() {
  return integer_row_list;
}

void set_comparison(Lifter& l, Value* compared) {
  auto& b = l.b;
  Value* other = l.predicate(l.source_predicate(0), true);
  const auto joined = [&](Value* answer) {
    return l.has(M::or_)    ? b.CreateOr(answer, other)
           : l.has(M::xor_) ? b.CreateXor(answer, other)
                            : b.CreateAnd(answer, other);
  };
  // Both are computed before one of them is written: `other` may be one of them.
  Value *first = joined(compared), *second = joined(b.CreateNot(compared));
  l.set_predicate(l.result_predicate(0), first);
  l.set_predicate(l.result_predicate(1), second);
}

} // namespace forewarp::lift
