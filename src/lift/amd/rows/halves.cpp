// Floats of 16 bits in the vector unit.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;

/// Computed in 32 bits and rounded once: exact for sums, products and fused steps of halves but for double
/// rounding of the latter.
Value* wide(Lifter& l, std::size_t n) {
  return l.b.CreateFPExt(l.f16(n), l.b.getFloatTy());
}
void give(Lifter& l, Value* value) {
  l.set_f16(0, l.b.CreateFPTrunc(value, l.b.getHalfTy()));
}

void add(Lifter& l) {
  give(l, l.b.CreateFAdd(wide(l, 1), wide(l, 2)));
}
void subtract(Lifter& l) {
  give(l, l.b.CreateFSub(wide(l, 1), wide(l, 2)));
}
void subtract_from(Lifter& l) {
  give(l, l.b.CreateFSub(wide(l, 2), wide(l, 1)));
}
void multiply(Lifter& l) {
  give(l, l.b.CreateFMul(wide(l, 1), wide(l, 2)));
}
void multiply_add(Lifter& l) {
  give(l, l.intrinsic(I::fma, {wide(l, 1), wide(l, 2), wide(l, 3)}));
}
void multiply_accumulate(Lifter& l) {
  give(l, l.intrinsic(I::fma, {wide(l, 1), wide(l, 2), wide(l, 0)}));
}
template <I::ID how> void choice(Lifter& l) {
  give(l, l.b.CreateBinaryIntrinsic(how, wide(l, 1), wide(l, 2)));
}
template <I::ID how> void one(Lifter& l) {
  give(l, l.b.CreateUnaryIntrinsic(how, wide(l, 1)));
}
void reciprocal(Lifter& l) {
  give(l, l.b.CreateFDiv(llvm::ConstantFP::get(l.b.getFloatTy(), 1), wide(l, 1)));
}
void reciprocal_root(Lifter& l) {
  give(l, l.call("llvm.amdgcn.rsq.f32", l.b.getFloatTy(), {wide(l, 1)}));
}
void pack(Lifter& l) {
  auto& b = l.b;
  Value* low = b.CreateZExt(b.CreateBitCast(l.f16(1), b.getInt16Ty()), b.getInt32Ty());
  Value* high = b.CreateZExt(b.CreateBitCast(l.f16(2), b.getInt16Ty()), b.getInt32Ty());
  l.set(0, b.CreateOr(low, b.CreateShl(high, 16)));
}

/// v_fma_mix: op_sel_hi says which sources are halves, op_sel which of a register's halves.
void mixed_multiply_add(Lifter& l) {
  auto& b = l.b;
  const std::string_view is_half = l.at().modifier("op_sel_hi"), upper = l.at().modifier("op_sel");
  const auto set_at = [](std::string_view list, std::size_t n) {
    return 1 + 2 * n < list.size() && list[1 + 2 * n] == '1';
  };
  Value* sources[3];
  for (std::size_t n = 0; n < 3; ++n) {
    Value* bits = l.u32(n + 1);
    if (set_at(is_half, n)) {
      Value* half = b.CreateTrunc(set_at(upper, n) ? b.CreateLShr(bits, 16) : bits, b.getInt16Ty());
      sources[n] = b.CreateFPExt(b.CreateBitCast(half, b.getHalfTy()), b.getFloatTy());
    } else {
      sources[n] = l.as_float(bits);
    }
    sources[n] = l.with_sign(l.operand(n + 1), sources[n]);
  }
  Value* made = l.intrinsic(I::fma, {sources[0], sources[1], sources[2]});
  if (l.contains("_mix_"))
    return l.set_f32(0, made);
  Value* half =
      b.CreateZExt(b.CreateBitCast(b.CreateFPTrunc(made, b.getHalfTy()), b.getInt16Ty()), b.getInt32Ty());
  Value* old = l.u32(0);
  if (l.contains("_mixhi_"))
    return l.set(0, b.CreateOr(b.CreateAnd(old, l.word(0xFFFF)), b.CreateShl(half, 16)));
  l.set(0, b.CreateOr(b.CreateAnd(old, l.word(0xFFFF0000)), half));
}

constexpr MnemonicRow rows[] = {
    {"v_add_f16", add},
    {"v_sub_f16", subtract},
    {"v_subrev_f16", subtract_from},
    {"v_mul_f16", multiply},
    {"v_fma_f16", multiply_add},
    {"v_fmac_f16", multiply_accumulate},
    {"v_max_f16", choice<I::maxnum>},
    {"v_min_f16", choice<I::minnum>},
    {"v_rcp_f16", reciprocal},
    {"v_rsq_f16", reciprocal_root},
    {"v_sqrt_f16", one<I::sqrt>},
    {"v_exp_f16", one<I::exp2>},
    {"v_log_f16", one<I::log2>},
    {"v_floor_f16", one<I::floor>},
    {"v_ceil_f16", one<I::ceil>},
    {"v_trunc_f16", one<I::trunc>},
    {"v_rndne_f16", one<I::rint>},
    {"v_pack_b32_f16", pack},
    {"v_fma_mix_f32", mixed_multiply_add},
    {"v_fma_mixlo_f16", mixed_multiply_add},
    {"v_fma_mixhi_f16", mixed_multiply_add},
    {"v_mad_mix_f32", mixed_multiply_add},
    {"v_mad_mixlo_f16", mixed_multiply_add},
    {"v_mad_mixhi_f16", mixed_multiply_add},
};

} // namespace

std::span<const MnemonicRow> half_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
