// Bits: logic, shifts, bytes, counts, predicates as bits.
#include "lift/rows/rows.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace forewarp::lift {
namespace {

using M = Modifier;

Value* all(llvm::Type* type, bool ones) {
  return ones ? llvm::Constant::getAllOnesValue(type) : llvm::Constant::getNullValue(type);
}

/// Of two bits, four values.
Value* lut2(llvm::IRBuilder<>& b, unsigned table, Value* x, Value* y) {
  const unsigned with = table >> 2 & 3, without = table & 3;
  const auto of_y = [&](unsigned values) -> Value* {
    return values == 0   ? all(y->getType(), false)
           : values == 3 ? all(y->getType(), true)
           : values == 2 ? y
                         : b.CreateNot(y);
  };
  if (with == without)
    return of_y(with);
  if (with == (without ^ 3))
    return b.CreateXor(x, of_y(without));
  return b.CreateOr(b.CreateAnd(x, of_y(with)), b.CreateAnd(b.CreateNot(x), of_y(without)));
}

/// The table is the last immediate before the second one of PLOP3, or the only one.
std::optional<unsigned> table_of(const Lifter& l, unsigned position) {
  unsigned seen = 0;
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::immediate && seen++ == position)
      return static_cast<unsigned>(operand.value & 255);
  return std::nullopt;
}

void logic(Lifter& l) {
  auto& b = l.b;
  const Operand* table = l.source(3);
  if (table == nullptr || table->kind != OperandKind::immediate)
    return l.refuse("its table");
  Value* value = lut3(b, static_cast<unsigned>(table->value & 255), l.u32(l.source(0)), l.u32(l.source(1)),
                      l.u32(l.source(2)));
  Value* other = l.predicate(l.source_predicate(0), l.has(M::pand));
  Value* any = b.CreateICmpNE(value, l.word(0));
  l.set_predicate(l.result_predicate(0), l.has(M::pand) ? b.CreateAnd(any, other) : b.CreateOr(any, other));
  l.set(l.result(0), value);
}

void predicate_logic(Lifter& l) {
  Value* sources[3];
  for (unsigned k = 0; k < 3; ++k)
    sources[k] = l.predicate(l.source_predicate(k), true);
  const auto first = table_of(l, 0), second = table_of(l, 1);
  if (!first)
    return l.refuse("its table");
  Value* values[] = {lut3(l.b, *first, sources[0], sources[1], sources[2]),
                     lut3(l.b, second.value_or(0), sources[0], sources[1], sources[2])};
  l.set_predicate(l.result_predicate(0), values[0]);
  l.set_predicate(l.result_predicate(1), values[1]);
}

void combine_predicates(Lifter& l) {
  auto& b = l.b;
  Value *x = l.predicate(l.source_predicate(0), true), *y = l.predicate(l.source_predicate(1), true);
  Value* answer = l.has(M::or_) ? b.CreateOr(x, y) : l.has(M::xor_) ? b.CreateXor(x, y) : b.CreateAnd(x, y);
  Value* third = l.predicate(l.source_predicate(2), true);
  l.set_predicate(l.result_predicate(0), b.CreateAnd(answer, third));
  l.set_predicate(l.result_predicate(1), b.CreateAnd(b.CreateNot(answer), third));
}

/// `.W` wraps the amount, else it stops at the width.
Value* amount(Lifter& l, unsigned width) {
  auto& b = l.b;
  Value* by = l.u32(l.source(1));
  if (l.has(M::w))
    return b.CreateAnd(by, width - 1);
  return b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, by, l.word(width));
}

/// Of the pair {h:l}; an amount of 64 leaves nothing, or the sign.
Value* shifted_pair(Lifter& l, Value* whole, Value* by) {
  auto& b = l.b;
  const bool left = l.has(M::l), is_signed = l.has(M::s64) || l.has(M::s32);
  Value* wide = b.CreateZExt(by, b.getInt64Ty());
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(wide); known && known->getZExtValue() < 64)
    return left        ? b.CreateShl(whole, wide)
           : is_signed ? b.CreateAShr(whole, wide)
                       : b.CreateLShr(whole, wide);
  Value* inside = b.CreateAnd(wide, 63);
  Value* moved = left        ? b.CreateShl(whole, inside)
                 : is_signed ? b.CreateAShr(whole, inside)
                             : b.CreateLShr(whole, inside);
  Value* beyond = !left && is_signed ? b.CreateAShr(whole, 63) : static_cast<Value*>(b.getInt64(0));
  return b.CreateSelect(b.CreateICmpUGT(wide, b.getInt64(63)), beyond, moved);
}

/// A word alone: `SHF.R.U32.HI d, RZ, s, x`, `SHF.L.U32 d, x, s, RZ`. Null: the amount is not known.
Value* shifted_word(Lifter& l) {
  auto& b = l.b;
  const Operand *low = l.source(0), *by = l.source(1), *high = l.source(2);
  if (by->kind != OperandKind::immediate || by->value > 31)
    return nullptr;
  const auto n = static_cast<unsigned>(by->value);
  if (l.has(M::l) && !l.has(M::hi))
    return b.CreateShl(l.u32(low), n);
  if (l.has(M::r) && l.has(M::hi) && low->is_zero() && !low->invert)
    return l.has(M::s32) || l.has(M::s64) ? b.CreateAShr(l.u32(high), n) : b.CreateLShr(l.u32(high), n);
  return nullptr;
}

void shift(Lifter& l) {
  if (Value* word = shifted_word(l))
    return l.set(l.result(0), word);
  const bool wide = l.has(M::u64) || l.has(M::s64);
  Value* whole = l.pair(l.u32(l.source(0)), l.u32(l.source(2)));
  Value* moved = shifted_pair(l, whole, amount(l, wide ? 64 : 32));
  l.set(l.result(0), l.has(M::hi) ? l.high(moved) : l.low(moved));
}

void permute(Lifter& l) {
  for (const M mode : {M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16})
    if (l.has(mode))
      return l.refuse("this mode of selection");
  l.set(l.result(0), l.call("llvm.nvvm.prmt", l.b.getInt32Ty(),
                            {l.u32(l.source(0)), l.u32(l.source(2)), l.u32(l.source(1))}));
}

void count_bits(Lifter& l) {
  l.set(l.result(0), l.b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, l.u32(l.source(0))));
}
void reverse_bits(Lifter& l) {
  l.set(l.result(0), l.b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, l.u32(l.source(0))));
}

/// Position of the highest bit that is set (of a negative number: that is not), or how far it is from the
/// top.
void find_highest(Lifter& l) {
  auto& b = l.b;
  Value* value = l.u32(l.source(0));
  if (!l.has(M::u32))
    value = b.CreateXor(value, b.CreateAShr(value, 31));
  Value* zeros = b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, b.getFalse());
  Value* none = b.CreateICmpEQ(value, l.word(0));
  Value* found = l.has(M::sh) ? zeros : b.CreateSub(l.word(31), zeros);
  l.set(l.result(0), b.CreateSelect(none, l.word(~0U), found));
  l.set_predicate(l.result_predicate(0), b.CreateNot(none));
}

/// The low `bits` of a word, with or without its sign.
void extend(Lifter& l) {
  auto& b = l.b;
  Value* bits = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.u32(l.source(1)), l.word(32));
  Value* spare = b.CreateZExt(b.CreateSub(l.word(32), bits), b.getInt64Ty());
  Value* moved =
      b.CreateTrunc(b.CreateShl(b.CreateZExt(l.u32(l.source(0)), b.getInt64Ty()), spare), b.getInt32Ty());
  Value* wide = l.has(M::u32) ? b.CreateZExt(moved, b.getInt64Ty()) : b.CreateSExt(moved, b.getInt64Ty());
  l.set(l.result(0), l.low(b.CreateAShr(wide, spare)));
}

/// `bits` ones from a position on.
void mask(Lifter& l) {
  auto& b = l.b;
  Value* wide_bits = b.CreateZExt(
      b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.u32(l.source(1)), l.word(32)), b.getInt64Ty());
  Value* from = b.CreateZExt(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, l.u32(l.source(0)), l.word(32)),
                             b.getInt64Ty());
  Value* ones = b.CreateSub(b.CreateShl(b.getInt64(1), wide_bits), b.getInt64(1));
  l.set(l.result(0), l.low(b.CreateShl(ones, from)));
}

unsigned bits_saved(const Lifter& l) {
  for (const Operand& operand : l.at().sources())
    if (operand.kind == OperandKind::immediate)
      return static_cast<unsigned>(operand.value & 0x7f);
  return 0x7f;
}

/// The byte of the register that the predicates go to or come from.
unsigned first_bit(const Lifter& l) {
  return l.has(M::b1) ? 8 : l.has(M::b2) ? 16 : l.has(M::b3) ? 24 : 0;
}

void save_predicates(Lifter& l) {
  auto& b = l.b;
  const unsigned saved = bits_saved(l);
  Value* value = b.CreateAnd(l.u32(l.source(0)), ~(saved << first_bit(l)));
  for (std::uint16_t p = 0; p < sass::true_predicate; ++p)
    if ((saved >> p & 1) != 0)
      value = b.CreateOr(
          value, b.CreateShl(b.CreateZExt(l.get_predicate(p, false), b.getInt32Ty()), p + first_bit(l)));
  l.set(l.result(0), value);
}

void restore_predicates(Lifter& l) {
  auto& b = l.b;
  Value* value = l.u32(l.source(0));
  for (std::uint16_t p = 0; p < sass::true_predicate; ++p)
    if ((bits_saved(l) >> p & 1) != 0)
      l.put_predicate(p, b.CreateICmpNE(b.CreateAnd(value, 1U << (p + first_bit(l))), l.word(0)));
}

constexpr OpcodeRow logic_row_list[] = {
    {Opcode::lop3, logic},
    {Opcode::ulop3, logic},
    {Opcode::plop3, predicate_logic},
    {Opcode::uplop3, predicate_logic},
    {Opcode::psetp, combine_predicates},
    {Opcode::shf, shift},
    {Opcode::ushf, shift},
    {Opcode::prmt, permute},
    {Opcode::uprmt, permute},
    {Opcode::popc, count_bits},
    {Opcode::upopc, count_bits},
    {Opcode::brev, reverse_bits},
    {Opcode::ubrev, reverse_bits},
    {Opcode::flo, find_highest},
    {Opcode::uflo, find_highest},
    {Opcode::sgxt, extend},
    {Opcode::usgxt, extend},
    {Opcode::bmsk, mask},
    {Opcode::ubmsk, mask},
    {Opcode::p2r, save_predicates},
    {Opcode::r2p, restore_predicates},
};

} // namespace

std::span<const OpcodeRow> logic_rows() {
  return logic_row_list;
}

Value* lut3(llvm::IRBuilder<>& b, unsigned table, Value* a, Value* y, Value* c) {
  const unsigned with = table >> 4 & 15, without = table & 15;
  Value* second = lut2(b, without, y, c);
  if (with == without)
    return second;
  if (with == (without ^ 15))
    return b.CreateXor(a, second);
  Value* first = lut2(b, with, y, c);
  if (without == 0)
    return b.CreateAnd(a, first);
  if (with == 15)
    return b.CreateOr(a, second);
  if (with == 0)
    return b.CreateAnd(b.CreateNot(a), second);
  if (without == 15)
    return b.CreateOr(b.CreateNot(a), first);
  return b.CreateOr(b.CreateAnd(a, first), b.CreateAnd(b.CreateNot(a), second));
}

} // namespace forewarp::lift
