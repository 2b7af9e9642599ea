// Floats of 64 bits in the vector unit.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;
using Two = Value* (*)(Lifter&, Value*, Value*);

Value* add(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFAdd(a, c);
}
Value* multiply(Lifter& l, Value* a, Value* c) {
  return l.b.CreateFMul(a, c);
}
template <I::ID how> Value* choice(Lifter& l, Value* a, Value* c) {
  return l.b.CreateBinaryIntrinsic(how, a, c);
}

template <Two compute> void two(Lifter& l) {
  l.set_f64(0, compute(l, l.f64(1), l.f64(2)));
}
template <I::ID how> void one(Lifter& l) {
  l.set_f64(0, l.b.CreateUnaryIntrinsic(how, l.f64(1)));
}
void multiply_add(Lifter& l) {
  l.set_f64(0, l.intrinsic(I::fma, {l.f64(1), l.f64(2), l.f64(3)}));
}
void multiply_accumulate(Lifter& l) {
  Value* sum = l.b.CreateBitCast(l.u64(0), l.b.getDoubleTy());
  l.set_f64(0, l.intrinsic(I::fma, {l.f64(1), l.f64(2), sum}));
}
Value* unity(Lifter& l) {
  return llvm::ConstantFP::get(l.b.getDoubleTy(), 1);
}
void reciprocal(Lifter& l) {
  l.set_f64(0, l.b.CreateFDiv(unity(l), l.f64(1)));
}
void reciprocal_root(Lifter& l) {
  l.set_f64(0, l.b.CreateFDiv(unity(l), l.b.CreateUnaryIntrinsic(I::sqrt, l.f64(1))));
}
void fraction(Lifter& l) {
  Value* a = l.f64(1);
  l.set_f64(0, l.b.CreateFSub(a, l.b.CreateUnaryIntrinsic(I::floor, a)));
}

Value* power_of_two(Lifter& l, Value* n) {
  Value* field = l.b.CreateZExt(l.b.CreateAdd(n, l.word(1023)), l.b.getInt64Ty());
  return l.b.CreateBitCast(l.b.CreateShl(field, 52), l.b.getDoubleTy());
}
/// Results that are subnormal may round twice.
void load_exponent(Lifter& l) {
  auto& b = l.b;
  Value *value = l.f64(1), *by = l.u32(2);
  for (unsigned step = 0; step < 3; ++step) {
    Value* part =
        b.CreateBinaryIntrinsic(I::smax, b.CreateBinaryIntrinsic(I::smin, by, l.word(1000)), l.word(~999U));
    value = b.CreateFMul(value, power_of_two(l, part));
    by = b.CreateSub(by, part);
  }
  l.set_f64(0, value);
}
Value* exponent_field(Lifter& l, Value* bits) {
  return l.low(l.b.CreateAnd(l.b.CreateLShr(bits, 52), l.b.getInt64(2047)));
}
/// Of normal numbers; the others come out as they are, with exponent 0.
void mantissa(Lifter& l) {
  auto& b = l.b;
  Value* bits = b.CreateBitCast(l.f64(1), b.getInt64Ty());
  Value* field = exponent_field(l, bits);
  Value* special = b.CreateOr(b.CreateICmpEQ(field, l.word(0)), b.CreateICmpEQ(field, l.word(2047)));
  Value* made = b.CreateOr(b.CreateAnd(bits, b.getInt64(0x800FFFFFFFFFFFFF)), b.getInt64(0x3FE0000000000000));
  l.set64(0, b.CreateSelect(special, bits, made));
}
void exponent(Lifter& l) {
  auto& b = l.b;
  Value* field = exponent_field(l, b.CreateBitCast(l.f64(1), b.getInt64Ty()));
  Value* special = b.CreateOr(b.CreateICmpEQ(field, l.word(0)), b.CreateICmpEQ(field, l.word(2047)));
  l.set(0, b.CreateSelect(special, l.word(0), b.CreateSub(field, l.word(1022))));
}

/// Nothing is scaled here: operands at the ends of the range are divided less exactly than by the hardware.
void division_scale(Lifter& l) {
  l.set64(0, l.b.CreateBitCast(l.f64(2), l.b.getInt64Ty()));
  l.set_mask(1, l.b.getFalse());
}
void division_end(Lifter& l) {
  auto& b = l.b;
  Value *quotient = l.f64(1), *exact = b.CreateFDiv(l.f64(3), l.f64(2));
  // Where the quotient is no normal number, the special cases decide.
  Value* field = exponent_field(l, b.CreateBitCast(exact, b.getInt64Ty()));
  Value* special = b.CreateOr(b.CreateICmpEQ(field, l.word(0)), b.CreateICmpEQ(field, l.word(2047)));
  l.set_f64(0, b.CreateSelect(special, exact, quotient));
}

constexpr MnemonicRow rows[] = {
    {"v_add_f64", two<add>},
    {"v_mul_f64", two<multiply>},
    {"v_min_f64", two<choice<I::minnum>>},
    {"v_max_f64", two<choice<I::maxnum>>},
    {"v_fma_f64", multiply_add},
    {"v_fmac_f64", multiply_accumulate},
    {"v_rcp_f64", reciprocal},
    {"v_rsq_f64", reciprocal_root},
    {"v_sqrt_f64", one<I::sqrt>},
    {"v_floor_f64", one<I::floor>},
    {"v_ceil_f64", one<I::ceil>},
    {"v_trunc_f64", one<I::trunc>},
    {"v_rndne_f64", one<I::rint>},
    {"v_fract_f64", fraction},
    {"v_ldexp_f64", load_exponent},
    {"v_frexp_mant_f64", mantissa},
    {"v_frexp_exp_i32_f64", exponent},
    {"v_div_scale_f64", division_scale},
    {"v_div_fmas_f64", multiply_add},
    {"v_div_fixup_f64", division_end},
};

} // namespace

std::span<const MnemonicRow> double_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
