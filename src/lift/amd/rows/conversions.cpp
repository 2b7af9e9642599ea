// Between integers and floats of all widths. Conversions to integers clamp.
#include "lift/amd/rows/rows.h"

#include <llvm/IR/Constants.h>

namespace forewarp::lift::amd {
namespace {

namespace I = llvm::Intrinsic;

template <bool is_signed> Value* to_float(Lifter& l, Value* value, llvm::Type* type) {
  return is_signed ? l.b.CreateSIToFP(value, type) : l.b.CreateUIToFP(value, type);
}
template <bool is_signed> Value* to_integer(Lifter& l, Value* value, llvm::Type* type) {
  return l.b.CreateIntrinsic(is_signed ? I::fptosi_sat : I::fptoui_sat, {type, value->getType()}, {value});
}

template <bool is_signed> void f32_from_integer(Lifter& l) {
  l.set_f32(0, to_float<is_signed>(l, l.u32(1), l.b.getFloatTy()));
}
template <bool is_signed> void f64_from_integer(Lifter& l) {
  l.set_f64(0, to_float<is_signed>(l, l.u32(1), l.b.getDoubleTy()));
}
template <bool is_signed> void f16_from_integer(Lifter& l) {
  Value* wide = to_float<is_signed>(l, l.u16(1), l.b.getFloatTy());
  l.set_f16(0, l.b.CreateFPTrunc(wide, l.b.getHalfTy()));
}
template <bool is_signed> void integer_from_f32(Lifter& l) {
  l.set(0, to_integer<is_signed>(l, l.f32(1), l.b.getInt32Ty()));
}
template <bool is_signed> void integer_from_f64(Lifter& l) {
  l.set(0, to_integer<is_signed>(l, l.f64(1), l.b.getInt32Ty()));
}
template <bool is_signed> void integer_from_f16(Lifter& l) {
  Value* wide = l.b.CreateFPExt(l.f16(1), l.b.getFloatTy());
  Value* made = to_integer<is_signed>(l, wide, l.b.getInt32Ty());
  Value* least = l.word(is_signed ? static_cast<std::uint64_t>(std::int64_t{-32768}) : 0);
  Value* most = l.word(is_signed ? 32767 : 65535);
  made = l.b.CreateBinaryIntrinsic(I::smin, l.b.CreateBinaryIntrinsic(I::smax, made, least), most);
  l.set16(0, l.b.CreateTrunc(made, l.b.getInt16Ty()));
}
template <I::ID rounds> void rounded_integer(Lifter& l) {
  Value* from = l.f32(1);
  if (!l.contains("flr") && !l.contains("floor"))
    from = l.b.CreateFAdd(from, llvm::ConstantFP::get(l.b.getFloatTy(), 0.5));
  l.set(0, to_integer<true>(l, l.b.CreateUnaryIntrinsic(rounds, from), l.b.getInt32Ty()));
}
template <unsigned k> void f32_from_byte(Lifter& l) {
  Value* byte = l.b.CreateAnd(l.b.CreateLShr(l.u32(1), 8 * k), l.word(0xFF));
  l.set_f32(0, l.b.CreateUIToFP(byte, l.b.getFloatTy()));
}
void f64_from_f32(Lifter& l) {
  l.set_f64(0, l.b.CreateFPExt(l.f32(1), l.b.getDoubleTy()));
}
void f32_from_f64(Lifter& l) {
  l.set_f32(0, l.b.CreateFPTrunc(l.f64(1), l.b.getFloatTy()));
}
void f32_from_f16(Lifter& l) {
  l.set_f32(0, l.b.CreateFPExt(l.f16(1), l.b.getFloatTy()));
}
void f16_from_f32(Lifter& l) {
  l.set_f16(0, l.b.CreateFPTrunc(l.f32(1), l.b.getHalfTy()));
}

/// Towards zero: what was rounded away from it goes back one step.
Value* narrowed_to_zero(Lifter& l, Value* value) {
  auto& b = l.b;
  Value* half = b.CreateFPTrunc(value, b.getHalfTy());
  Value* back = b.CreateFPExt(half, b.getFloatTy());
  Value* bits = b.CreateBitCast(half, b.getInt16Ty());
  Value* over =
      b.CreateFCmpOGT(b.CreateUnaryIntrinsic(I::fabs, back), b.CreateUnaryIntrinsic(I::fabs, value));
  return b.CreateSelect(over, b.CreateSub(bits, b.getInt16(1)), bits);
}
void two_halves_to_zero(Lifter& l) {
  auto& b = l.b;
  Value* low = b.CreateZExt(narrowed_to_zero(l, l.f32(1)), b.getInt32Ty());
  Value* high = b.CreateZExt(narrowed_to_zero(l, l.f32(2)), b.getInt32Ty());
  l.set(0, b.CreateOr(low, b.CreateShl(high, 16)));
}
/// bfloat16 of both, to nearest even.
void two_bfloats(Lifter& l) {
  auto& b = l.b;
  const auto narrow = [&](Value* value) {
    Value* bits = l.as_word(value);
    Value* odd = b.CreateAnd(b.CreateLShr(bits, 16), l.word(1));
    Value* rounded = b.CreateLShr(b.CreateAdd(bits, b.CreateAdd(odd, l.word(0x7FFF))), 16);
    Value* nan = b.CreateFCmpUNO(value, value);
    return b.CreateSelect(nan, b.CreateOr(b.CreateLShr(bits, 16), l.word(0x40)), rounded);
  };
  Value *low = narrow(l.f32(1)), *high = narrow(l.f32(2));
  l.set(0, b.CreateOr(low, b.CreateShl(high, 16)));
}
template <bool is_signed> void two_shorts(Lifter& l) {
  Value* least = l.word(is_signed ? static_cast<std::uint64_t>(std::int64_t{-32768}) : 0);
  Value* most = l.word(is_signed ? 32767 : 65535);
  const auto narrow = [&](Value* value) {
    Value* cut =
        is_signed ? l.b.CreateBinaryIntrinsic(I::smin, l.b.CreateBinaryIntrinsic(I::smax, value, least), most)
                  : l.b.CreateBinaryIntrinsic(I::umin, value, most);
    return l.b.CreateAnd(cut, l.word(0xFFFF));
  };
  Value *low = narrow(l.u32(1)), *high = narrow(l.u32(2));
  l.set(0, l.b.CreateOr(low, l.b.CreateShl(high, 16)));
}

constexpr MnemonicRow rows[] = {
    {"v_cvt_f32_i32", f32_from_integer<true>},
    {"v_cvt_f32_u32", f32_from_integer<false>},
    {"v_cvt_f64_i32", f64_from_integer<true>},
    {"v_cvt_f64_u32", f64_from_integer<false>},
    {"v_cvt_f16_i16", f16_from_integer<true>},
    {"v_cvt_f16_u16", f16_from_integer<false>},
    {"v_cvt_i32_f32", integer_from_f32<true>},
    {"v_cvt_u32_f32", integer_from_f32<false>},
    {"v_cvt_i32_f64", integer_from_f64<true>},
    {"v_cvt_u32_f64", integer_from_f64<false>},
    {"v_cvt_i16_f16", integer_from_f16<true>},
    {"v_cvt_u16_f16", integer_from_f16<false>},
    {"v_cvt_flr_i32_f32", rounded_integer<I::floor>},
    {"v_cvt_floor_i32_f32", rounded_integer<I::floor>},
    {"v_cvt_rpi_i32_f32", rounded_integer<I::floor>},
    {"v_cvt_nearest_i32_f32", rounded_integer<I::floor>},
    {"v_cvt_f32_ubyte0", f32_from_byte<0>},
    {"v_cvt_f32_ubyte1", f32_from_byte<1>},
    {"v_cvt_f32_ubyte2", f32_from_byte<2>},
    {"v_cvt_f32_ubyte3", f32_from_byte<3>},
    {"v_cvt_f64_f32", f64_from_f32},
    {"v_cvt_f32_f64", f32_from_f64},
    {"v_cvt_f32_f16", f32_from_f16},
    {"v_cvt_f16_f32", f16_from_f32},
    {"v_cvt_pkrtz_f16_f32", two_halves_to_zero},
    {"v_cvt_pk_rtz_f16_f32", two_halves_to_zero},
    {"v_cvt_pk_bf16_f32", two_bfloats},
    {"v_cvt_pk_u16_u32", two_shorts<false>},
    {"v_cvt_pk_i16_i32", two_shorts<true>},
};

} // namespace

std::span<const MnemonicRow> conversion_rows() {
  return rows;
}

} // namespace forewarp::lift::amd
