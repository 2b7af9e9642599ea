// Two values an instruction: v_pk_*. op_sel says which part of a source makes the lower result, op_sel_hi
// which makes the upper one; neg_lo and neg_hi change their signs.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;

bool flag_of(std::string_view list, std::size_t n, bool otherwise) {
  const std::size_t at = 1 + 2 * n;
  return at < list.size() ? list[at] == '1' : otherwise;
}

/// Which part of source `n` the lower (upper) result is made of.
bool takes_upper(const Lifter& l, std::size_t n, bool upper_result) {
  return upper_result ? flag_of(l.at().modifier("op_sel_hi"), n, true)
                      : flag_of(l.at().modifier("op_sel"), n, false);
}

Value* signed_part(Lifter& l, std::size_t n, bool upper_result, Value* value) {
  const bool negated = flag_of(l.at().modifier(upper_result ? "neg_hi" : "neg_lo"), n, false);
  return negated ? l.b.CreateFNeg(value) : value;
}

Value* single(Lifter& l, std::size_t n, bool upper_result) {
  const bool is_register = l.operand(n + 1).width > 1;
  Value* bits = l.u32(n + 1, is_register && takes_upper(l, n, upper_result) ? 1 : 0);
  return signed_part(l, n, upper_result, l.as_float(bits));
}

template <Value* (*compute)(Lifter&, bool)> void two_singles(Lifter& l) {
  Value *lower = compute(l, false), *upper = compute(l, true);
  l.set(0, l.as_word(lower));
  l.set(0, l.as_word(upper), 1);
}
Value* add_singles(Lifter& l, bool upper) {
  return l.b.CreateFAdd(single(l, 0, upper), single(l, 1, upper));
}
Value* multiply_singles(Lifter& l, bool upper) {
  return l.b.CreateFMul(single(l, 0, upper), single(l, 1, upper));
}
Value* fuse_singles(Lifter& l, bool upper) {
  return l.intrinsic(I::fma, {single(l, 0, upper), single(l, 1, upper), single(l, 2, upper)});
}

Value* half_bits(Lifter& l, std::size_t n, bool upper_result) {
  if (l.operand(n + 1).kind == OperandKind::floating)
    return l.u16(n + 1);
  Value* bits = l.u32(n + 1);
  return l.b.CreateTrunc(takes_upper(l, n, upper_result) ? l.b.CreateLShr(bits, 16) : bits, l.b.getInt16Ty());
}
Value* half(Lifter& l, std::size_t n, bool upper) {
  Value* value = l.b.CreateBitCast(half_bits(l, n, upper), l.b.getHalfTy());
  return signed_part(l, n, upper, l.b.CreateFPExt(value, l.b.getFloatTy()));
}

Value* joined(Lifter& l, Value* lower, Value* upper) {
  return l.b.CreateOr(l.b.CreateZExt(lower, l.b.getInt32Ty()),
                      l.b.CreateShl(l.b.CreateZExt(upper, l.b.getInt32Ty()), 16));
}
template <Value* (*compute)(Lifter&, bool)> void two_halves(Lifter& l) {
  const auto narrow = [&](Value* value) {
    return l.b.CreateBitCast(l.b.CreateFPTrunc(value, l.b.getHalfTy()), l.b.getInt16Ty());
  };
  Value *lower = narrow(compute(l, false)), *upper = narrow(compute(l, true));
  l.set(0, joined(l, lower, upper));
}
Value* add_halves(Lifter& l, bool upper) {
  return l.b.CreateFAdd(half(l, 0, upper), half(l, 1, upper));
}
Value* multiply_halves(Lifter& l, bool upper) {
  return l.b.CreateFMul(half(l, 0, upper), half(l, 1, upper));
}
Value* fuse_halves(Lifter& l, bool upper) {
  return l.intrinsic(I::fma, {half(l, 0, upper), half(l, 1, upper), half(l, 2, upper)});
}
template <I::ID how> Value* choose_halves(Lifter& l, bool upper) {
  return l.b.CreateBinaryIntrinsic(how, half(l, 0, upper), half(l, 1, upper));
}

template <Value* (*compute)(Lifter&, bool)> void two_shorts(Lifter& l) {
  Value *lower = compute(l, false), *upper = compute(l, true);
  l.set(0, joined(l, lower, upper));
}
Value* add_shorts(Lifter& l, bool upper) {
  return l.b.CreateAdd(half_bits(l, 0, upper), half_bits(l, 1, upper));
}
Value* subtract_shorts(Lifter& l, bool upper) {
  return l.b.CreateSub(half_bits(l, 0, upper), half_bits(l, 1, upper));
}
Value* multiply_shorts(Lifter& l, bool upper) {
  return l.b.CreateMul(half_bits(l, 0, upper), half_bits(l, 1, upper));
}
Value* fuse_shorts(Lifter& l, bool upper) {
  return l.b.CreateAdd(multiply_shorts(l, upper), half_bits(l, 2, upper));
}
template <I::ID how> Value* choose_shorts(Lifter& l, bool upper) {
  return l.b.CreateBinaryIntrinsic(how, half_bits(l, 0, upper), half_bits(l, 1, upper));
}
template <llvm::Instruction::BinaryOps how> Value* shift_shorts(Lifter& l, bool upper) {
  Value* by = l.b.CreateAnd(half_bits(l, 0, upper), l.b.getInt16(15));
  return l.b.CreateBinOp(how, half_bits(l, 1, upper), by);
}

constexpr MnemonicRow rows[] = {
    {"v_pk_add_f32", two_singles<add_singles>},
    {"v_pk_mul_f32", two_singles<multiply_singles>},
    {"v_pk_fma_f32", two_singles<fuse_singles>},
    {"v_pk_add_f16", two_halves<add_halves>},
    {"v_pk_mul_f16", two_halves<multiply_halves>},
    {"v_pk_fma_f16", two_halves<fuse_halves>},
    {"v_pk_max_f16", two_halves<choose_halves<I::maxnum>>},
    {"v_pk_min_f16", two_halves<choose_halves<I::minnum>>},
    {"v_pk_add_u16", two_shorts<add_shorts>},
    {"v_pk_sub_u16", two_shorts<subtract_shorts>},
    {"v_pk_add_i16", two_shorts<add_shorts>},
    {"v_pk_sub_i16", two_shorts<subtract_shorts>},
    {"v_pk_mul_lo_u16", two_shorts<multiply_shorts>},
    {"v_pk_mad_u16", two_shorts<fuse_shorts>},
    {"v_pk_mad_i16", two_shorts<fuse_shorts>},
    {"v_pk_max_u16", two_shorts<choose_shorts<I::umax>>},
    {"v_pk_min_u16", two_shorts<choose_shorts<I::umin>>},
    {"v_pk_max_i16", two_shorts<choose_shorts<I::smax>>},
    {"v_pk_min_i16", two_shorts<choose_shorts<I::smin>>},
    {"v_pk_lshlrev_b16", two_shorts<shift_shorts<llvm::Instruction::Shl>>},
    {"v_pk_lshrrev_b16", two_shorts<shift_shorts<llvm::Instruction::LShr>>},
    {"v_pk_ashrrev_i16", two_shorts<shift_shorts<llvm::Instruction::AShr>>},
};

} // namespace

std::span<const MnemonicRow> packed_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
