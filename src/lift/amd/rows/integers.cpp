// Integers of 32 bits and less in the vector unit.
#include "lift/amd/rows/rows.h"
#include "lift/amd/rows/words.h"

#include <llvm/IR/Constants.h>

#include <utility>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;
using Two = Value* (*)(Lifter&, Value*, Value*);
using Three = Value* (*)(Lifter&, Value*, Value*, Value*);

Value* add(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAdd(a, c);
}
Value* subtract(Lifter& l, Value* a, Value* c) {
  return l.b.CreateSub(a, c);
}
Value* subtract_from(Lifter& l, Value* a, Value* c) {
  return l.b.CreateSub(c, a);
}
Value* multiply(Lifter& l, Value* a, Value* c) {
  return l.b.CreateMul(a, c);
}
template <I::ID how> Value* choice(Lifter& l, Value* a, Value* c) {
  return l.b.CreateBinaryIntrinsic(how, a, c);
}

Value* amount(Lifter& l, Value* by) {
  return l.b.CreateAnd(by, llvm::ConstantInt::get(by->getType(), by->getType()->getIntegerBitWidth() - 1));
}
Value* left(Lifter& l, Value* a, Value* c) {
  return l.b.CreateShl(a, amount(l, c));
}
Value* left_reversed(Lifter& l, Value* a, Value* c) {
  return left(l, c, a);
}
Value* right_reversed(Lifter& l, Value* a, Value* c) {
  return l.b.CreateLShr(c, amount(l, a));
}
Value* signed_right_reversed(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAShr(c, amount(l, a));
}

template <bool is_signed> Value* cut24(Lifter& l, Value* a) {
  if (!is_signed)
    return l.b.CreateAnd(a, l.word(0xFFFFFF));
  return l.b.CreateAShr(l.b.CreateShl(a, 8), 8);
}
template <bool is_signed> Value* product24(Lifter& l, Value* a, Value* c) {
  return l.b.CreateMul(cut24<is_signed>(l, a), cut24<is_signed>(l, c));
}
template <bool is_signed> Value* high_product24(Lifter& l, Value* a, Value* c) {
  return high_product<is_signed>(l, cut24<is_signed>(l, a), cut24<is_signed>(l, c));
}
Value* ones_mask(Lifter& l, Value* a, Value* c) {
  return l.b.CreateShl(l.b.CreateSub(l.b.CreateShl(l.word(1), amount(l, a)), l.word(1)), amount(l, c));
}
Value* count_and_add(Lifter& l, Value* a, Value* c) {
  return l.b.CreateAdd(l.b.CreateUnaryIntrinsic(I::ctpop, a), c);
}
Value* pack16(Lifter& l, Value* a, Value* c) {
  return l.b.CreateOr(l.b.CreateAnd(a, l.word(0xFFFF)), l.b.CreateShl(c, 16));
}

template <Two compute> void two(Lifter& l) {
  if (l.at().has("clamp"))
    return l.refuse("saturation of this operation");
  l.set(0, compute(l, l.u32(1), l.u32(2)));
}
/// Sums that saturate where the instruction says so.
template <Two compute, I::ID saturating, bool reversed = false> void sum(Lifter& l) {
  Value *a = l.u32(1), *c = l.u32(2);
  if (reversed)
    std::swap(a, c);
  l.set(0, l.at().has("clamp") ? l.b.CreateBinaryIntrinsic(saturating, a, c) : compute(l, a, c));
}
template <Two compute> void two16(Lifter& l) {
  l.set16(0, compute(l, l.u16(1), l.u16(2)));
}
template <Three compute> void three(Lifter& l) {
  if (l.at().has("clamp"))
    return l.refuse("saturation of this operation");
  l.set(0, compute(l, l.u32(1), l.u32(2), l.u32(3)));
}

template <Two first, Two second> Value* both(Lifter& l, Value* a, Value* c, Value* d) {
  return second(l, first(l, a, c), d);
}
Value* select_bits(Lifter& l, Value* a, Value* c, Value* d) {
  return l.b.CreateOr(l.b.CreateAnd(a, c), l.b.CreateAnd(l.b.CreateNot(a), d));
}
template <bool is_signed> Value* bit_field(Lifter& l, Value* from, Value* offset, Value* bits) {
  auto& b = l.b;
  offset = b.CreateAnd(offset, l.word(31));
  bits = b.CreateAnd(bits, l.word(31));
  Value* none = b.CreateICmpEQ(bits, l.word(0));
  Value* shifted = is_signed ? b.CreateAShr(from, offset) : b.CreateLShr(from, offset);
  Value* rest = b.CreateSelect(none, l.word(0), b.CreateSub(l.word(32), bits));
  // A field that reaches past the top is filled as its source is.
  Value* over = b.CreateICmpUGT(b.CreateAdd(offset, bits), l.word(32));
  Value* top = b.CreateShl(shifted, rest);
  Value* made = is_signed ? b.CreateAShr(top, rest) : b.CreateLShr(top, rest);
  return b.CreateSelect(none, l.word(0), b.CreateSelect(over, shifted, made));
}
template <I::ID least, I::ID most> Value* median(Lifter& l, Value* a, Value* c, Value* d) {
  auto& b = l.b;
  Value* low = b.CreateBinaryIntrinsic(least, a, c);
  Value* high = b.CreateBinaryIntrinsic(most, a, c);
  return b.CreateBinaryIntrinsic(most, low, b.CreateBinaryIntrinsic(least, high, d));
}
Value* align_bits(Lifter& l, Value* a, Value* c, Value* d) {
  Value* by = l.b.CreateZExt(l.b.CreateAnd(d, l.word(31)), l.b.getInt64Ty());
  return l.low(l.b.CreateLShr(l.pair(c, a), by));
}
Value* align_bytes(Lifter& l, Value* a, Value* c, Value* d) {
  Value* by = l.b.CreateZExt(l.b.CreateShl(l.b.CreateAnd(d, l.word(3)), 3), l.b.getInt64Ty());
  return l.low(l.b.CreateLShr(l.pair(c, a), by));
}
Value* absolute_difference(Lifter& l, Value* a, Value* c, Value* d) {
  auto& b = l.b;
  Value* more = b.CreateBinaryIntrinsic(I::umax, a, c);
  return b.CreateAdd(b.CreateSub(more, b.CreateBinaryIntrinsic(I::umin, a, c)), d);
}

/// Each byte of the selector chooses one of the eight bytes of both sources (or a sign, zeros, ones).
void permute_bytes(Lifter& l) {
  auto& b = l.b;
  Value *from = l.pair(l.u32(2), l.u32(1)), *selector = l.u32(3), *made = l.word(0);
  for (unsigned k = 0; k < 4; ++k) {
    Value* chosen = b.CreateAnd(b.CreateLShr(selector, 8 * k), l.word(0xFF));
    const auto bits_from = [&](Value* at) {
      return b.CreateAnd(l.low(b.CreateLShr(from, b.CreateZExt(at, b.getInt64Ty()))), l.word(0xFF));
    };
    Value* byte = bits_from(b.CreateShl(b.CreateAnd(chosen, l.word(7)), 3));
    // 8 .. 11: the sign of bytes 1, 3, 5, 7.
    Value* sign_at = b.CreateAdd(b.CreateShl(b.CreateAnd(chosen, l.word(3)), 4), l.word(15));
    Value* sign = b.CreateSelect(b.CreateTrunc(bits_from(sign_at), b.getInt1Ty()), l.word(0xFF), l.word(0));
    byte = b.CreateSelect(b.CreateICmpUGE(chosen, l.word(8)), sign, byte);
    byte = b.CreateSelect(b.CreateICmpEQ(chosen, l.word(12)), l.word(0), byte);
    byte = b.CreateSelect(b.CreateICmpUGE(chosen, l.word(13)), l.word(0xFF), byte);
    made = b.CreateOr(made, b.CreateShl(byte, 8 * k));
  }
  l.set(0, made);
}

/// Result, carry out, two sources; a carry in behind them.
template <bool subtracts, bool reversed, bool with_carry> void with_carry_out(Lifter& l) {
  auto& b = l.b;
  llvm::Type* wide = b.getInt64Ty();
  Value *first = b.CreateZExt(l.u32(2), wide), *second = b.CreateZExt(l.u32(3), wide);
  if (reversed)
    std::swap(first, second);
  Value* made = subtracts ? b.CreateSub(first, second) : b.CreateAdd(first, second);
  if (with_carry) {
    Value* carry = b.CreateZExt(l.mask(4), wide);
    made = subtracts ? b.CreateSub(made, carry) : b.CreateAdd(made, carry);
  }
  Value* out = b.CreateICmpNE(l.high(made), l.word(0));
  l.set(0, l.low(made));
  l.set_mask(1, out);
}

void move(Lifter& l) {
  l.set(0, l.u32(1));
}
void move16(Lifter& l) {
  l.set16(0, l.u16(1));
}
void invert(Lifter& l) {
  l.set(0, l.b.CreateNot(l.u32(1)));
}
void reverse_bits(Lifter& l) {
  l.set(0, l.b.CreateUnaryIntrinsic(I::bitreverse, l.u32(1)));
}
/// -1 where there is none.
template <I::ID search> void find_one(Lifter& l) {
  Value* from = l.u32(1);
  Value* found = l.b.CreateBinaryIntrinsic(search, from, l.b.getFalse());
  l.set(0, l.b.CreateSelect(l.b.CreateICmpEQ(from, l.word(0)), l.word(~0U), found));
}
/// Bits behind the sign that are like it.
void find_other_than_sign(Lifter& l) {
  auto& b = l.b;
  Value* from = l.u32(1);
  Value* changed = b.CreateXor(from, b.CreateAShr(from, 31));
  l.set(0, b.CreateSelect(b.CreateICmpEQ(changed, l.word(0)), l.word(~0U),
                          b.CreateBinaryIntrinsic(I::ctlz, changed, b.getFalse())));
}
/// The mask is the third source; of the others the first is for lanes without it. They may carry signs.
void conditional(Lifter& l) {
  const auto from = [&](std::size_t n) {
    const Operand& operand = l.operand(n);
    return operand.negate || operand.absolute ? l.as_word(l.f32(n)) : l.u32(n);
  };
  Value *no = from(1), *yes = from(2);
  l.set(0,
        l.b.CreateSelect(l.count() > 3 ? l.mask(3) : l.vcc(), yes, no)); // dual instructions do not name VCC
}
template <bool is_signed> void multiply_add16(Lifter& l) {
  l.set16(0, l.b.CreateAdd(l.b.CreateMul(l.u16(1), l.u16(2)), l.u16(3)));
}
/// Factors of 16 bits, a sum of 32.
template <bool is_signed> void multiply_add_mixed(Lifter& l) {
  llvm::Type* type = l.b.getInt32Ty();
  l.set(0, l.b.CreateAdd(l.b.CreateMul(l.b.CreateIntCast(l.u16(1), type, is_signed),
                                       l.b.CreateIntCast(l.u16(2), type, is_signed)),
                         l.u32(3)));
}
void swap(Lifter& l) {
  Value *first = l.u32(0), *second = l.u32(1);
  l.set(0, second);
  l.set(1, first);
}
/// Products of four bytes, added.
template <bool is_signed> void dot4(Lifter& l) {
  auto& b = l.b;
  if (l.at().has("clamp") || l.at().has("neg_lo"))
    return l.refuse("this form of the product of bytes");
  Value *first = l.u32(1), *second = l.u32(2), *sum = l.u32(3);
  const auto byte = [&](Value* from, unsigned k) {
    Value* cut = b.CreateTrunc(b.CreateLShr(from, 8 * k), b.getInt8Ty());
    return b.CreateIntCast(cut, b.getInt32Ty(), is_signed);
  };
  for (unsigned k = 0; k < 4; ++k)
    sum = b.CreateAdd(sum, b.CreateMul(byte(first, k), byte(second, k)));
  l.set(0, sum);
}
/// The source (the result) is as many registers further on as M0 says.
template <bool source> void move_relative(Lifter& l) {
  const Operand& named = l.operand(source ? 1 : 0);
  Value* number = l.scalar(amdgcn::m0_register);
  Value* moved = source ? l.word(0) : l.u32(1);
  for (unsigned k = 0; named.number + k < l.kernel.resources.vgprs; ++k) {
    Value* is_this = l.b.CreateICmpEQ(number, l.word(k));
    Value* there = l.vector(named.kind, named.number + k);
    if (source)
      moved = l.b.CreateSelect(is_this, there, moved);
    else
      l.set_vector(named.kind, named.number + k, l.b.CreateSelect(is_this, moved, there));
  }
  if (source)
    l.set(0, moved);
}
void nothing(Lifter&) {}

constexpr MnemonicRow rows[] = {
    {"v_nop", nothing},
    {"v_mov_b32", move},
    {"v_accvgpr_write_b32", move},
    {"v_accvgpr_read_b32", move},
    {"v_accvgpr_write", move},
    {"v_accvgpr_read", move},
    {"v_accvgpr_mov_b32", move},
    {"v_swap_b32", swap},
    {"v_movrels_b32", move_relative<true>},
    {"v_movreld_b32", move_relative<false>},
    {"v_mov_b16", move16},
    {"v_not_b32", invert},
    {"v_bfrev_b32", reverse_bits},
    {"v_ffbh_u32", find_one<I::ctlz>},
    {"v_clz_i32_u32", find_one<I::ctlz>},
    {"v_ffbl_b32", find_one<I::cttz>},
    {"v_ctz_i32_b32", find_one<I::cttz>},
    {"v_ffbh_i32", find_other_than_sign},
    {"v_cls_i32", find_other_than_sign},
    {"v_cndmask_b32", conditional},
    {"v_add_u32", sum<add, I::uadd_sat>},
    {"v_add_nc_u32", sum<add, I::uadd_sat>},
    {"v_add_i32", sum<add, I::sadd_sat>},
    {"v_add_nc_i32", sum<add, I::sadd_sat>},
    {"v_sub_u32", sum<subtract, I::usub_sat>},
    {"v_sub_nc_u32", sum<subtract, I::usub_sat>},
    {"v_sub_i32", sum<subtract, I::ssub_sat>},
    {"v_sub_nc_i32", sum<subtract, I::ssub_sat>},
    {"v_subrev_u32", sum<subtract, I::usub_sat, true>},
    {"v_subrev_nc_u32", sum<subtract, I::usub_sat, true>},
    {"v_mul_lo_u32", two<multiply>},
    {"v_mul_hi_u32", two<high_product<false>>},
    {"v_mul_hi_i32", two<high_product<true>>},
    {"v_mul_u32_u24", two<product24<false>>},
    {"v_mul_i32_i24", two<product24<true>>},
    {"v_mul_hi_u32_u24", two<high_product24<false>>},
    {"v_mul_hi_i32_i24", two<high_product24<true>>},
    {"v_and_b32", two<conjunction>},
    {"v_or_b32", two<disjunction>},
    {"v_xor_b32", two<difference>},
    {"v_xnor_b32", two<equal_bits>},
    {"v_min_u32", two<choice<I::umin>>},
    {"v_max_u32", two<choice<I::umax>>},
    {"v_min_i32", two<choice<I::smin>>},
    {"v_max_i32", two<choice<I::smax>>},
    {"v_lshlrev_b32", two<left_reversed>},
    {"v_lshrrev_b32", two<right_reversed>},
    {"v_ashrrev_i32", two<signed_right_reversed>},
    {"v_bfm_b32", two<ones_mask>},
    {"v_bcnt_u32_b32", two<count_and_add>},
    {"v_pack_b32_u16", two<pack16>},
    {"v_add_u16", two16<add>},
    {"v_sub_u16", two16<subtract>},
    {"v_subrev_u16", two16<subtract_from>},
    {"v_mul_lo_u16", two16<multiply>},
    {"v_add_nc_u16", two16<add>},
    {"v_sub_nc_u16", two16<subtract>},
    {"v_min_u16", two16<choice<I::umin>>},
    {"v_max_u16", two16<choice<I::umax>>},
    {"v_min_i16", two16<choice<I::smin>>},
    {"v_max_i16", two16<choice<I::smax>>},
    {"v_and_b16", two16<conjunction>},
    {"v_or_b16", two16<disjunction>},
    {"v_xor_b16", two16<difference>},
    {"v_lshlrev_b16", two16<left_reversed>},
    {"v_lshrrev_b16", two16<right_reversed>},
    {"v_ashrrev_i16", two16<signed_right_reversed>},
    {"v_mad_u16", multiply_add16<false>},
    {"v_mad_i16", multiply_add16<true>},
    {"v_mad_u32_u16", multiply_add_mixed<false>},
    {"v_mad_i32_i16", multiply_add_mixed<true>},
    {"v_add_co_u32", with_carry_out<false, false, false>},
    {"v_sub_co_u32", with_carry_out<true, false, false>},
    {"v_subrev_co_u32", with_carry_out<true, true, false>},
    {"v_addc_co_u32", with_carry_out<false, false, true>},
    {"v_subb_co_u32", with_carry_out<true, false, true>},
    {"v_subbrev_co_u32", with_carry_out<true, true, true>},
    {"v_add_co_ci_u32", with_carry_out<false, false, true>},
    {"v_sub_co_ci_u32", with_carry_out<true, false, true>},
    {"v_subrev_co_ci_u32", with_carry_out<true, true, true>},
    {"v_add3_u32", three<both<add, add>>},
    {"v_or3_b32", three<both<disjunction, disjunction>>},
    {"v_xor3_b32", three<both<difference, difference>>},
    {"v_and_or_b32", three<both<conjunction, disjunction>>},
    {"v_lshl_add_u32", three<both<left, add>>},
    {"v_lshl_or_b32", three<both<left, disjunction>>},
    {"v_add_lshl_u32", three<both<add, left>>},
    {"v_xad_u32", three<both<difference, add>>},
    {"v_mad_u32_u24", three<both<product24<false>, add>>},
    {"v_mad_i32_i24", three<both<product24<true>, add>>},
    {"v_bfi_b32", three<select_bits>},
    {"v_bfe_u32", three<bit_field<false>>},
    {"v_bfe_i32", three<bit_field<true>>},
    {"v_alignbit_b32", three<align_bits>},
    {"v_alignbyte_b32", three<align_bytes>},
    {"v_sad_u32", three<absolute_difference>},
    {"v_min3_i32", three<both<choice<I::smin>, choice<I::smin>>>},
    {"v_min3_u32", three<both<choice<I::umin>, choice<I::umin>>>},
    {"v_max3_i32", three<both<choice<I::smax>, choice<I::smax>>>},
    {"v_max3_u32", three<both<choice<I::umax>, choice<I::umax>>>},
    {"v_minmax_i32", three<both<choice<I::smin>, choice<I::smax>>>},
    {"v_minmax_u32", three<both<choice<I::umin>, choice<I::umax>>>},
    {"v_maxmin_i32", three<both<choice<I::smax>, choice<I::smin>>>},
    {"v_maxmin_u32", three<both<choice<I::umax>, choice<I::umin>>>},
    {"v_med3_i32", three<median<I::smin, I::smax>>},
    {"v_med3_u32", three<median<I::umin, I::umax>>},
    {"v_perm_b32", permute_bytes},
    {"v_dot4_i32_i8", dot4<true>},
    {"v_dot4_u32_u8", dot4<false>},
};

} // namespace

std::span<const MnemonicRow> integer_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
