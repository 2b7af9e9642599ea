// Floats of 32 bits in the vector unit. Reciprocals, roots, powers and angles at full accuracy: the
// hardware's last bits are not published.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;
using Two = Value* (*)(Lifter&, Value*, Value*);

Value* add(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFAdd(a, c);
}
Value* subtract(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFSub(a, c);
}
Value* subtract_from(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFSub(c, a);
}
Value* multiply(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFMul(a, c);
}
template <I::ID how> Value* choice(Lifter& l, Value* a, Value* c) {
  return l.b.CreateBinaryIntrinsic(how, a, c);
}
/// Zero times anything is zero.
Value* legacy_multiply(Lifter& l, Value* a, Value* c) {
  llvm::Constant* zero = llvm::ConstantFP::get(a->getType(), 0);
  Value* none = l.b.CreateOr(l.b.CreateFCmpOEQ(a, zero), l.b.CreateFCmpOEQ(c, zero));
  return l.b.CreateSelect(none, zero, l.b.CreateFMul(a, c));
}

template <Two compute> void two(Lifter& l) {
  l.set_f32(0, compute(l, l.f32(1), l.f32(2)));
}
template <Two first, Two second> void three(Lifter& l) {
  l.set_f32(0, second(l, first(l, l.f32(1), l.f32(2)), l.f32(3)));
}
template <I::ID how> void one(Lifter& l) {
  l.set_f32(0, l.b.CreateUnaryIntrinsic(how, l.f32(1)));
}

Value* fused(Lifter& l, Value* a, Value* c, Value* d) {
  return l.intrinsic(I::fma, {a, c, d});
}
void multiply_add(Lifter& l) {
  l.set_f32(0, fused(l, l.f32(1), l.f32(2), l.f32(3)));
}
void multiply_accumulate(Lifter& l) {
  l.set_f32(0, fused(l, l.f32(1), l.f32(2), l.as_float(l.u32(0))));
}
/// v_madak: the constant is added; v_madmk: it is a factor. As the operands stand.
void rounded_multiply_add(Lifter& l) {
  l.set_f32(0, l.b.CreateFAdd(l.b.CreateFMul(l.f32(1), l.f32(2)), l.f32(3)));
}
void rounded_multiply_accumulate(Lifter& l) {
  l.set_f32(0, l.b.CreateFAdd(l.b.CreateFMul(l.f32(1), l.f32(2)), l.as_float(l.u32(0))));
}
void median(Lifter& l) {
  auto& b = l.b;
  Value *a = l.f32(1), *c = l.f32(2), *d = l.f32(3);
  Value* low = b.CreateBinaryIntrinsic(I::minnum, a, c);
  Value* high = b.CreateBinaryIntrinsic(I::maxnum, a, c);
  l.set_f32(0, b.CreateBinaryIntrinsic(I::maxnum, low, b.CreateBinaryIntrinsic(I::minnum, high, d)));
}

void reciprocal(Lifter& l) {
  l.set_f32(0, l.b.CreateFDiv(llvm::ConstantFP::get(l.b.getFloatTy(), 1), l.f32(1)));
}
void reciprocal_root(Lifter& l) {
  l.set_f32(0, l.call("llvm.amdgcn.rsq.f32", l.b.getFloatTy(), {l.f32(1)}));
}
void sine(Lifter& l) {
  l.set_f32(0, l.call("forewarp.machine.sin_revolutions", l.b.getFloatTy(), {l.f32(1)}));
}
void cosine(Lifter& l) {
  l.set_f32(0, l.call("forewarp.machine.cos_revolutions", l.b.getFloatTy(), {l.f32(1)}));
}
void fraction(Lifter& l) {
  Value* a = l.f32(1);
  Value* below_one = l.as_float(l.word(0x3F7FFFFF));
  l.set_f32(0, l.b.CreateBinaryIntrinsic(I::minnum, l.b.CreateFSub(a, l.b.CreateUnaryIntrinsic(I::floor, a)),
                                         below_one));
}

/// 2^n as a float, for n of a normal number.
Value* power_of_two(Lifter& l, Value* n) {
  return l.as_float(l.b.CreateShl(l.b.CreateAdd(n, l.word(127)), 23));
}
/// In three steps, so that no factor leaves the range; an exponent beyond is as good as the last that counts.
Value* scaled(Lifter& l, Value* value, Value* by) {
  auto& b = l.b;
  by = b.CreateBinaryIntrinsic(I::smax, b.CreateBinaryIntrinsic(I::smin, by, l.word(300)), l.word(~299U));
  // The last step rounds: what is left of the exponent comes first.
  for (unsigned step = 0; step < 2; ++step) {
    Value* part =
        b.CreateBinaryIntrinsic(I::smax, b.CreateBinaryIntrinsic(I::smin, by, l.word(100)), l.word(~99U));
    value = b.CreateFMul(value, power_of_two(l, part));
    by = b.CreateSub(by, part);
  }
  return b.CreateFMul(value, power_of_two(l, by));
}
/// Downwards the result must not round twice: where it gets subnormal, the first steps stop short of it.
Value* load_exponent(Lifter& l, Value* value, Value* by) {
  auto& b = l.b;
  Value* bits = l.as_word(value);
  Value* exponent = b.CreateAnd(b.CreateLShr(bits, 23), l.word(255));
  Value* subnormal = b.CreateICmpEQ(exponent, l.word(0));
  Value* normal = b.CreateSelect(subnormal, b.CreateFMul(value, power_of_two(l, l.word(24))), value);
  Value* change = b.CreateSelect(subnormal, b.CreateSub(by, l.word(24)), by);
  Value* its_bits = l.as_word(normal);
  Value* its_exponent = b.CreateAnd(b.CreateLShr(its_bits, 23), l.word(255));
  change =
      b.CreateBinaryIntrinsic(I::smax, b.CreateBinaryIntrinsic(I::smin, change, l.word(600)), l.word(~599U));
  Value* target = b.CreateAdd(its_exponent, change);
  Value* in_range = b.CreateAnd(b.CreateICmpSGT(target, l.word(0)), b.CreateICmpSLT(target, l.word(255)));
  Value* exact = l.as_float(b.CreateOr(b.CreateAnd(its_bits, l.word(0x807FFFFF)),
                                       b.CreateShl(b.CreateAnd(target, l.word(255)), 23)));
  // Below: to 2^-100 exactly, then once more with rounding. Above: infinity by a product.
  Value* lifted = l.as_float(b.CreateOr(b.CreateAnd(its_bits, l.word(0x807FFFFF)), l.word(27U << 23)));
  Value* rest = b.CreateBinaryIntrinsic(I::smax, b.CreateSub(target, l.word(27)), l.word(~99U));
  Value* below = b.CreateFMul(lifted, power_of_two(l, rest));
  Value* out = b.CreateSelect(b.CreateICmpSLE(target, l.word(0)), below, scaled(l, normal, change));
  Value* finite = b.CreateAnd(b.CreateICmpNE(its_exponent, l.word(255)),
                              b.CreateFCmpONE(value, llvm::ConstantFP::get(b.getFloatTy(), 0)));
  return b.CreateSelect(finite, b.CreateSelect(in_range, exact, out), value);
}
void load_exponent_row(Lifter& l) {
  l.set_f32(0, load_exponent(l, l.f32(1), l.u32(2)));
}

struct Split {
  Value *mantissa, *exponent, *special; ///< 0.5 .. 1; zero, infinity, NaN
};
Split split(Lifter& l, Value* value) {
  auto& b = l.b;
  Value* tiny = b.CreateICmpEQ(b.CreateAnd(l.as_word(value), l.word(0x7F800000)), l.word(0));
  Value* normal = b.CreateSelect(tiny, b.CreateFMul(value, power_of_two(l, l.word(24))), value);
  Value* bits = l.as_word(normal);
  Value* field = b.CreateAnd(b.CreateLShr(bits, 23), l.word(255));
  Value* exponent = b.CreateSub(field, b.CreateSelect(tiny, l.word(126 + 24), l.word(126)));
  Value* mantissa = l.as_float(b.CreateOr(b.CreateAnd(bits, l.word(0x807FFFFF)), l.word(126U << 23)));
  Value* special = b.CreateOr(b.CreateICmpEQ(field, l.word(255)),
                              b.CreateFCmpOEQ(value, llvm::ConstantFP::get(b.getFloatTy(), 0)));
  return {mantissa, exponent, special};
}
void mantissa(Lifter& l) {
  Value* from = l.f32(1);
  const Split parts = split(l, from);
  l.set_f32(0, l.b.CreateSelect(parts.special, from, parts.mantissa));
}
void exponent(Lifter& l) {
  const Split parts = split(l, l.f32(1));
  l.set(0, l.b.CreateSelect(parts.special, l.word(0), parts.exponent));
}

/// The steps of an exact division: operands scaled away from the ends of the range, the last step scaled
/// back, special cases put right. Where nothing has to be scaled, the second result is false.
void division_scale(Lifter& l) {
  auto& b = l.b;
  Value *scaled_one = l.f32(2), *divisor = l.f32(3), *dividend = l.f32(4);
  const auto exponent_of = [&](Value* value) {
    return b.CreateAnd(b.CreateLShr(l.as_word(value), 23), l.word(255));
  };
  Value *top = exponent_of(dividend), *bottom = exponent_of(divisor);
  Value* zero = llvm::ConstantFP::get(b.getFloatTy(), 0);
  Value* is_divisor = b.CreateFCmpOEQ(scaled_one, divisor);
  Value* none = b.CreateOr(b.CreateFCmpOEQ(dividend, zero), b.CreateFCmpOEQ(divisor, zero));
  Value* far = b.CreateICmpSGE(b.CreateSub(top, bottom), l.word(96));
  Value* divisor_tiny = b.CreateICmpEQ(bottom, l.word(0));
  Value* reciprocal_tiny = b.CreateICmpSGE(bottom, l.word(253));
  Value* quotient_tiny = b.CreateICmpSLE(b.CreateSub(top, bottom), l.word(~125U));
  Value* dividend_tiny = b.CreateICmpSLE(top, l.word(23));
  const auto times = [&](int power) {
    return b.CreateFMul(scaled_one, power_of_two(l, l.word(static_cast<std::uint64_t>(std::int64_t{power}))));
  };
  // In the order of the manual: the first that holds.
  Value* both_tiny = b.CreateAnd(reciprocal_tiny, quotient_tiny);
  Value* value = scaled_one;
  Value* flag = b.getFalse();
  value = b.CreateSelect(dividend_tiny, times(64), value);
  value = b.CreateSelect(quotient_tiny, b.CreateSelect(is_divisor, scaled_one, times(64)), value);
  flag = b.CreateSelect(quotient_tiny, b.getTrue(), flag);
  value = b.CreateSelect(reciprocal_tiny, times(-64), value);
  flag = b.CreateSelect(reciprocal_tiny, b.getFalse(), flag);
  value = b.CreateSelect(both_tiny, b.CreateSelect(is_divisor, times(64), scaled_one), value);
  flag = b.CreateSelect(both_tiny, b.getTrue(), flag);
  value = b.CreateSelect(divisor_tiny, times(64), value);
  flag = b.CreateSelect(divisor_tiny, b.getFalse(), flag);
  value = b.CreateSelect(far, b.CreateSelect(is_divisor, times(64), scaled_one), value);
  flag = b.CreateSelect(far, b.getTrue(), flag);
  value = b.CreateSelect(none, llvm::ConstantFP::getNaN(b.getFloatTy()), value);
  flag = b.CreateSelect(none, b.getFalse(), flag);
  l.set(0, l.as_word(value));
  l.set_mask(1, flag);
}
/// VCC: scaled back by 2^64 (or 2^-64 where the sum is large).
void division_step(Lifter& l) {
  auto& b = l.b;
  Value* sum = l.f32(3);
  Value* made = fused(l, l.f32(1), l.f32(2), sum);
  Value* exponent_of_sum = b.CreateAnd(b.CreateLShr(l.as_word(sum), 23), l.word(255));
  Value* factor = b.CreateSelect(b.CreateICmpUGT(exponent_of_sum, l.word(127)), power_of_two(l, l.word(64)),
                                 power_of_two(l, l.word(~63U)));
  l.set(0, l.as_word(b.CreateSelect(l.vcc(), b.CreateFMul(made, factor), made)));
}
/// Quotient, divisor, dividend.
void division_end(Lifter& l) {
  auto& b = l.b;
  Value *quotient = l.f32(1), *divisor = l.f32(2), *dividend = l.f32(3);
  Value* sign = b.CreateAnd(b.CreateXor(l.as_word(divisor), l.as_word(dividend)), l.word(1U << 31));
  Value* zero = llvm::ConstantFP::get(b.getFloatTy(), 0);
  llvm::Constant* infinity = llvm::ConstantFP::getInfinity(b.getFloatTy());
  const auto infinite = [&](Value* value) {
    return b.CreateFCmpOEQ(b.CreateUnaryIntrinsic(I::fabs, value), infinity);
  };
  const auto with_its_sign = [&](std::uint32_t bits) { return l.as_float(b.CreateOr(sign, l.word(bits))); };
  Value *no_divisor = b.CreateFCmpOEQ(divisor, zero), *no_dividend = b.CreateFCmpOEQ(dividend, zero);
  Value *much = infinite(dividend), *by_much = infinite(divisor);
  Value* made = l.as_float(b.CreateOr(sign, b.CreateAnd(l.as_word(quotient), l.word(0x7FFFFFFF))));
  made = b.CreateSelect(b.CreateOr(by_much, no_dividend), with_its_sign(0), made);
  made = b.CreateSelect(b.CreateOr(much, no_divisor), with_its_sign(0x7F800000), made);
  Value* undefined = b.CreateOr(b.CreateAnd(no_divisor, no_dividend), b.CreateAnd(much, by_much));
  Value* nan = b.CreateFCmpUNO(divisor, dividend);
  made = b.CreateSelect(b.CreateOr(undefined, nan), llvm::ConstantFP::getNaN(b.getFloatTy()), made);
  l.set_f32(0, made);
}

constexpr MnemonicRow rows[] = {
    {"v_add_f32", two<add>},
    {"v_sub_f32", two<subtract>},
    {"v_subrev_f32", two<subtract_from>},
    {"v_mul_f32", two<multiply>},
    {"v_mul_legacy_f32", two<legacy_multiply>},
    {"v_mul_dx9_zero_f32", two<legacy_multiply>},
    {"v_min_f32", two<choice<I::minnum>>},
    {"v_max_f32", two<choice<I::maxnum>>},
    {"v_min3_f32", three<choice<I::minnum>, choice<I::minnum>>},
    {"v_max3_f32", three<choice<I::maxnum>, choice<I::maxnum>>},
    {"v_minmax_f32", three<choice<I::minnum>, choice<I::maxnum>>},
    {"v_maxmin_f32", three<choice<I::maxnum>, choice<I::minnum>>},
    {"v_med3_f32", median},
    {"v_fma_f32", multiply_add},
    {"v_fmaak_f32", multiply_add},
    {"v_fmamk_f32", multiply_add},
    {"v_fmac_f32", multiply_accumulate},
    {"v_mad_f32", rounded_multiply_add},
    {"v_madak_f32", rounded_multiply_add},
    {"v_madmk_f32", rounded_multiply_add},
    {"v_mac_f32", rounded_multiply_accumulate},
    {"v_rcp_f32", reciprocal},
    {"v_rcp_iflag_f32", reciprocal},
    {"v_rsq_f32", reciprocal_root},
    {"v_sqrt_f32", one<I::sqrt>},
    {"v_exp_f32", one<I::exp2>},
    {"v_log_f32", one<I::log2>},
    {"v_sin_f32", sine},
    {"v_cos_f32", cosine},
    {"v_floor_f32", one<I::floor>},
    {"v_ceil_f32", one<I::ceil>},
    {"v_trunc_f32", one<I::trunc>},
    {"v_rndne_f32", one<I::rint>},
    {"v_fract_f32", fraction},
    {"v_ldexp_f32", load_exponent_row},
    {"v_frexp_mant_f32", mantissa},
    {"v_frexp_exp_i32_f32", exponent},
    {"v_div_scale_f32", division_scale},
    {"v_div_fmas_f32", division_step},
    {"v_div_fixup_f32", division_end},
};

} // namespace

std::span<const MnemonicRow> float_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
