// cvt in all its forms, and cvta. Not modelled: rounding of results that are floats other than to the
// nearest.
#include "frontend/lowering/builtin_call.h"
#include "frontend/ptx/operations/operations.h"
#include "frontend/ptx/operations/conversions/small_floats.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace forewarp::frontend::ptx {
namespace {

namespace intrinsics = llvm::Intrinsic;

bool is_integer(TypeWord type) {
  return type.kind == 'u' || type.kind == 's' || type.kind == 'b';
}

llvm::Value* clamped(llvm::IRBuilder<>& b, llvm::Value* value, bool is_signed, TypeWord to) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const bool to_signed = to.kind == 's';
  if (!is_signed && to_signed && to.bits >= bits) // the top half does not fit
    return b.CreateBinaryIntrinsic(
        intrinsics::umin, value,
        llvm::ConstantInt::get(value->getType(), llvm::APInt::getSignedMaxValue(to.bits).zextOrTrunc(bits)));
  if (to.bits >= bits)
    return is_signed && !to_signed
               ? b.CreateBinaryIntrinsic(intrinsics::smax, value, llvm::ConstantInt::get(value->getType(), 0))
               : value;
  const llvm::APInt most =
      (to_signed ? llvm::APInt::getSignedMaxValue(to.bits) : llvm::APInt::getMaxValue(to.bits)).zext(bits);
  const llvm::APInt least =
      to_signed ? llvm::APInt::getSignedMinValue(to.bits).sext(bits) : llvm::APInt(bits, 0);
  llvm::Value* top = llvm::ConstantInt::get(value->getType(), most);
  if (!is_signed)
    return b.CreateBinaryIntrinsic(intrinsics::umin, value, top);
  return b.CreateBinaryIntrinsic(intrinsics::smax, b.CreateBinaryIntrinsic(intrinsics::smin, value, top),
                                 llvm::ConstantInt::get(value->getType(), least));
}

llvm::Value* between_integers(Expansion& e, const Statement& s, llvm::Value* value, TypeWord to,
                              TypeWord from) {
  const bool is_signed = from.kind == 's';
  if (s.has("sat"))
    value = clamped(e.b, value, is_signed, to);
  return e.b.CreateIntCast(value, e.b.getIntNTy(to.bits), is_signed);
}

/// Rounding to whole numbers.
std::optional<intrinsics::ID> whole(const Statement& s) {
  if (s.has("rni"))
    return intrinsics::rint;
  if (s.has("rzi"))
    return intrinsics::trunc;
  if (s.has("rmi"))
    return intrinsics::floor;
  if (s.has("rpi"))
    return intrinsics::ceil;
  return std::nullopt;
}

/// One operation of the hardware, also with rounding; for 32 and 64 bits.
std::optional<intrinsics::ID> rounded_conversion(const Statement& s, TypeWord to, TypeWord from) {
  if (from.bits < 32 || to.bits < 32 || s.has("rzi"))
    return std::nullopt;
  const auto by_rounding = [&](intrinsics::ID nearest, intrinsics::ID down, intrinsics::ID up) {
    return s.has("rmi") ? down : s.has("rpi") ? up : nearest;
  };
  const bool is_signed = to.kind == 's', wide = to.bits == 64;
  if (from.bits == 32 && !wide)
    return is_signed
               ? by_rounding(intrinsics::nvvm_f2i_rn, intrinsics::nvvm_f2i_rm, intrinsics::nvvm_f2i_rp)
               : by_rounding(intrinsics::nvvm_f2ui_rn, intrinsics::nvvm_f2ui_rm, intrinsics::nvvm_f2ui_rp);
  if (from.bits == 32)
    return is_signed
               ? by_rounding(intrinsics::nvvm_f2ll_rn, intrinsics::nvvm_f2ll_rm, intrinsics::nvvm_f2ll_rp)
               : by_rounding(intrinsics::nvvm_f2ull_rn, intrinsics::nvvm_f2ull_rm, intrinsics::nvvm_f2ull_rp);
  if (!wide)
    return is_signed
               ? by_rounding(intrinsics::nvvm_d2i_rn, intrinsics::nvvm_d2i_rm, intrinsics::nvvm_d2i_rp)
               : by_rounding(intrinsics::nvvm_d2ui_rn, intrinsics::nvvm_d2ui_rm, intrinsics::nvvm_d2ui_rp);
  return is_signed
             ? by_rounding(intrinsics::nvvm_d2ll_rn, intrinsics::nvvm_d2ll_rm, intrinsics::nvvm_d2ll_rp)
             : by_rounding(intrinsics::nvvm_d2ull_rn, intrinsics::nvvm_d2ull_rm, intrinsics::nvvm_d2ull_rp);
}

llvm::Value* to_integer(Expansion& e, const Statement& s, llvm::Value* value, TypeWord to, TypeWord from) {
  if (const auto id = rounded_conversion(s, to, from))
    return e.b.CreateIntrinsic(*id, {}, {value});
  if (const auto rounding = whole(s); rounding && !s.has("rzi"))
    value = e.b.CreateUnaryIntrinsic(*rounding, value);
  llvm::Type* type = e.b.getIntNTy(to.bits);
  if (to.bits < 32) // out of range: the nearest number that the type has
    return e.b.CreateIntrinsic(to.kind == 's' ? intrinsics::fptosi_sat : intrinsics::fptoui_sat,
                               {type, value->getType()}, {value});
  return to.kind == 's' ? e.b.CreateFPToSI(value, type) : e.b.CreateFPToUI(value, type);
}

llvm::Value* saturated(Expansion& e, const Statement& s, llvm::Value* value) {
  llvm::Type* type = value->getType();
  if (s.has("sat") && type->isFloatTy())
    return e.b.CreateIntrinsic(intrinsics::nvvm_saturate_f, {}, {value});
  if (s.has("sat") || s.has("relu"))
    value = e.b.CreateBinaryIntrinsic(intrinsics::maxnum, value, llvm::Constant::getNullValue(type));
  if (s.has("sat"))
    value = e.b.CreateBinaryIntrinsic(intrinsics::minnum, value, llvm::ConstantFP::get(type, 1.0));
  return value;
}

llvm::Value* between_floats(Expansion& e, const Statement& s, llvm::Value* value, TypeWord to) {
  llvm::Type* type = element_type(e.context(), to);
  if (value->getType()->getPrimitiveSizeInBits() > type->getPrimitiveSizeInBits())
    value = e.b.CreateFPTrunc(value, type);
  else if (value->getType()->getPrimitiveSizeInBits() < type->getPrimitiveSizeInBits())
    value = e.b.CreateFPExt(value, type);
  else if (value->getType() != type) // f16 and bf16
    value = e.b.CreateFPTrunc(e.b.CreateFPExt(value, e.b.getFloatTy()), type);
  else if (const auto rounding = whole(s))
    value = e.b.CreateUnaryIntrinsic(*rounding, value);
  return saturated(e, s, value);
}

/// The nearest number with ten bits behind the point, ties away from zero.
llvm::Value* to_tf32(Expansion& e, llvm::Value* value) {
  llvm::Value* bits = e.b.CreateBitCast(value, e.b.getInt32Ty());
  constexpr unsigned half = 0x1000, kept = 0xFFFFE000;
  return e.b.CreateAnd(e.b.CreateAdd(bits, e.b.getInt32(half)), e.b.getInt32(kept));
}

/// cvt.rn.f16x2.f32 d, a, b: b in the lower half.
bool packed(Expansion& e, const Statement& s, TypeWord to, TypeWord from) {
  if (to.lanes != 2 || !to.is_float() || from.kind != 'f' || from.bits != 32 || from.lanes != 1 ||
      s.operands.size() != 3)
    return false;
  llvm::Value* high = e.registers.read(s.operands[1], e.b.getFloatTy());
  llvm::Value* low = e.registers.read(s.operands[2], e.b.getFloatTy());
  if (!high || !low)
    return false;
  llvm::Value* made = llvm::PoisonValue::get(value_type(e.context(), to));
  const TypeWord element{to.kind, to.bits, 1};
  made = e.b.CreateInsertElement(made, between_floats(e, s, low, element), std::uint64_t{0});
  made = e.b.CreateInsertElement(made, between_floats(e, s, high, element), std::uint64_t{1});
  return e.registers.write(s.operands[0], made);
}

/// cvt.pack.sat.u8.s32.b32 d, a, b, c: a above b in the lowest bits, c above both.
bool pack_integers(Expansion& e, const Statement& s, const std::vector<TypeWord>& types) {
  const bool behind = types.size() == 3;
  if (types.size() < 2 || !s.has("sat") || types[0].bits > 16 || types[0].bits == 0 ||
      !is_integer(types[0]) || s.operands.size() != (behind ? 4U : 3U))
    return false;
  llvm::Type* word = e.b.getInt32Ty();
  llvm::Value *upper = e.registers.read(s.operands[1], word), *lower = e.registers.read(s.operands[2], word);
  llvm::Value* rest = behind ? e.registers.read(s.operands[3], word) : e.b.getInt32(0);
  if (!upper || !lower || !rest)
    return false;
  const unsigned bits = types[0].bits;
  const auto field = [&](llvm::Value* value) {
    return e.b.CreateAnd(clamped(e.b, value, true, types[0]), e.b.getInt32((1U << bits) - 1));
  };
  llvm::Value* made = e.b.CreateOr(e.b.CreateShl(field(upper), bits), field(lower));
  if (bits < 16)
    made = e.b.CreateOr(made, e.b.CreateShl(rest, 2 * bits));
  return e.registers.write(s.operands[0], made);
}

bool convert(Expansion& e, const Statement& s) {
  const std::vector<TypeWord> types = s.types();
  if (s.has("pack"))
    return pack_integers(e, s, types);
  if (types.size() >= 2 && is_of_small_floats(s, types))
    return between_small_floats(e, s, types);
  if (types.size() != 2)
    return false;
  const TypeWord to = types[0], from = types[1];
  if (to.lanes != 1 || from.lanes != 1)
    return packed(e, s, to, from);
  llvm::Type *target = element_type(e.context(), to), *source = element_type(e.context(), from);
  if (!target || !source || s.operands.size() != 2)
    return false;
  llvm::Value* value = e.registers.read_wide(s.operands[1], source);
  if (!value)
    return false;
  llvm::Value* made = nullptr;
  if (to.kind == 't')
    made = from.kind == 'f' && from.bits == 32 ? to_tf32(e, value) : nullptr;
  else if (is_integer(to) && is_integer(from))
    made = between_integers(e, s, value, to, from);
  else if (is_integer(to) && from.is_float())
    made = to_integer(e, s, value, to, from);
  else if (to.is_float() && is_integer(from))
    made = from.kind == 's' ? e.b.CreateSIToFP(value, target) : e.b.CreateUIToFP(value, target);
  else if (to.is_float() && from.is_float())
    made = between_floats(e, s, value, to);
  return made && e.registers.write(s.operands[0], made, to.kind == 's');
}

std::optional<unsigned> window(const Statement& s) {
  if (s.has("global"))
    return spaces::global;
  if (s.has_any({"shared", "shared::cta"}))
    return spaces::shared;
  if (s.has("const"))
    return spaces::constant;
  if (s.has("local"))
    return spaces::local;
  if (s.has("param"))
    return spaces::parameter;
  return std::nullopt;
}

/// cvta: an address in one memory as a generic one; cvta.to: the other way round.
bool convert_address(Expansion& e, const Statement& s) {
  const auto space = window(s);
  if (!space || s.operands.size() != 2)
    return false;
  llvm::Type *generic = e.b.getPtrTy(), *own = llvm::PointerType::get(e.context(), *space);
  const bool to = s.has("to");
  llvm::Value* held = e.registers.find_place(s.operands[1]);
  if (!held)
    held = e.registers.find_register(s.operands[1]) ? e.registers.value(s.operands[1])
                                                    : e.registers.read(s.operands[1], e.b.getInt64Ty());
  if (!held)
    return false;
  if (!held->getType()->isPointerTy())
    held = as_bits(e.b, held, to ? generic : own);
  llvm::Value* made = e.b.CreateAddrSpaceCast(held, to ? own : generic);
  const bool narrow = s.bits() == 32;
  return e.registers.write(s.operands[0],
                           e.b.CreatePtrToInt(made, narrow ? e.b.getInt32Ty() : e.b.getInt64Ty()));
}

constexpr Operation conversion_row_list[] = {
    {"cvt", convert,
     "between integers, f16, bf16, f32 and f64 with .sat, .relu and all roundings; f16x2 and bf16x2 from two "
     "f32; tf32 from f32; floats of 8, 6 and 4 bits and scales (ue8m0) from f32 and from and to f16x2 and "
     "bf16x2, two or "
     "four at a time, .satfinite; .rs with random bits, also to f16x2 and bf16x2; .pack of integers"},
    {"cvta", convert_address, "to and from .global, .shared, .const, .local and .param"},
};

} // namespace

std::span<const Operation> conversion_rows() {
  return conversion_row_list;
}

} // namespace forewarp::frontend::ptx
