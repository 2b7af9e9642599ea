// OpenCL 6.12.3: integer functions.
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;

llvm::Value* binary(BuiltinCall& call, intrinsics::ID id, llvm::Value* x, llvm::Value* y) {
  return call.b.CreateBinaryIntrinsic(id, x, y);
}

llvm::Value* constant(BuiltinCall& call, std::uint64_t value) {
  return llvm::ConstantInt::get(call.type(), value);
}

llvm::Value* emit_abs(BuiltinCall& call) {
  return call.is_unsigned(0) ? call.arg(0) : binary(call, intrinsics::abs, call.arg(0), call.b.getFalse());
}

llvm::Value* emit_abs_diff(BuiltinCall& call) {
  bool u = call.is_unsigned(0);
  llvm::Value* high = binary(call, u ? intrinsics::umax : intrinsics::smax, call.arg(0), call.arg(1));
  llvm::Value* low = binary(call, u ? intrinsics::umin : intrinsics::smin, call.arg(0), call.arg(1));
  return call.b.CreateSub(high, low);
}

llvm::Value* emit_saturating(BuiltinCall& call) {
  bool u = call.is_unsigned(0);
  intrinsics::ID id = call.row.code == 0 ? (u ? intrinsics::uadd_sat : intrinsics::sadd_sat)
                                         : (u ? intrinsics::usub_sat : intrinsics::ssub_sat);
  return binary(call, id, call.arg(0), call.arg(1));
}

/// hadd: (x >> 1) + (y >> 1) + (x & y & 1); rhadd: with (x | y) & 1.
llvm::Value* emit_halving_add(BuiltinCall& call) {
  auto half = [&](llvm::Value* v) {
    return call.is_unsigned(0) ? call.b.CreateLShr(v, constant(call, 1))
                               : call.b.CreateAShr(v, constant(call, 1));
  };
  llvm::Value *x = call.arg(0), *y = call.arg(1);
  llvm::Value* carry = call.row.code ? call.b.CreateOr(x, y) : call.b.CreateAnd(x, y);
  return call.b.CreateAdd(call.b.CreateAdd(half(x), half(y)), call.b.CreateAnd(carry, constant(call, 1)));
}

llvm::Value* emit_count_zeros(BuiltinCall& call) {
  return binary(call, call.row.code, call.arg(0), call.b.getFalse());
}

llvm::Value* emit_popcount(BuiltinCall& call) {
  return call.b.CreateUnaryIntrinsic(intrinsics::ctpop, call.arg(0));
}

llvm::Value* high_product(BuiltinCall& call, llvm::Value* x, llvm::Value* y) {
  unsigned bits = x->getType()->getScalarSizeInBits();
  llvm::Type* wide = x->getType()->getExtendedType();
  auto extend = [&](llvm::Value* v) {
    return call.is_unsigned(0) ? call.b.CreateZExt(v, wide) : call.b.CreateSExt(v, wide);
  };
  llvm::Value* product = call.b.CreateMul(extend(x), extend(y));
  return call.b.CreateTrunc(call.b.CreateLShr(product, llvm::ConstantInt::get(wide, bits)), x->getType());
}

llvm::Value* emit_mul_hi(BuiltinCall& call) {
  return high_product(call, call.arg(0), call.arg(1));
}
llvm::Value* emit_mad_hi(BuiltinCall& call) {
  return call.b.CreateAdd(high_product(call, call.arg(0), call.arg(1)), call.arg(2));
}

/// Exact in twice the width, then clamped.
llvm::Value* emit_mad_sat(BuiltinCall& call) {
  bool u = call.is_unsigned(0);
  unsigned bits = call.type()->getScalarSizeInBits();
  llvm::Type* wide = call.type()->getExtendedType();
  auto extend = [&](unsigned i) {
    return u ? call.b.CreateZExt(call.arg(i), wide) : call.b.CreateSExt(call.arg(i), wide);
  };
  llvm::Value* sum = call.b.CreateAdd(call.b.CreateMul(extend(0), extend(1)), extend(2));
  llvm::APInt high =
      u ? llvm::APInt::getMaxValue(bits).zext(2 * bits) : llvm::APInt::getSignedMaxValue(bits).sext(2 * bits);
  sum = binary(call, u ? intrinsics::umin : intrinsics::smin, sum, llvm::ConstantInt::get(wide, high));
  if (!u)
    sum = binary(call, intrinsics::smax, sum,
                 llvm::ConstantInt::get(wide, llvm::APInt::getSignedMinValue(bits).sext(2 * bits)));
  return call.b.CreateTrunc(sum, call.type());
}

// The 24-bit forms are full multiplications on every machine since compute capability 2.0.
llvm::Value* emit_mul24(BuiltinCall& call) {
  return call.b.CreateMul(call.arg(0), call.arg(1));
}
llvm::Value* emit_mad24(BuiltinCall& call) {
  return call.b.CreateAdd(emit_mul24(call), call.arg(2));
}

llvm::Value* emit_rotate(BuiltinCall& call) {
  return call.intrinsic(intrinsics::fshl, {call.type()}, {call.arg(0), call.arg(0), call.arg_as_result(1)});
}

llvm::Value* emit_upsample(BuiltinCall& call) {
  unsigned bits = call.arg(0)->getType()->getScalarSizeInBits();
  llvm::Value* high = call.b.CreateShl(call.b.CreateZExt(call.arg(0), call.type()), constant(call, bits));
  return call.b.CreateOr(high, call.b.CreateZExt(call.arg(1), call.type()));
}

/// cl_khr_integer_dot_product: bytes of two words, signed or not by the letters of "packed_su_".
llvm::Value* emit_packed_dot(BuiltinCall& call) {
  const std::size_t letters = call.name.find("packed_") + 7;
  llvm::Type* word = call.b.getInt32Ty();
  const auto byte_of = [&](unsigned argument, unsigned k) {
    llvm::Value* byte = call.b.CreateTrunc(call.b.CreateLShr(call.arg(argument), 8 * k), call.b.getInt8Ty());
    return call.b.CreateIntCast(byte, word, call.name[letters + argument] == 's');
  };
  llvm::Value* sum = call.b.getInt32(0);
  for (unsigned k = 0; k < 4; ++k)
    sum = call.b.CreateAdd(sum, call.b.CreateMul(byte_of(0, k), byte_of(1, k)));
  if (!call.name.starts_with("dot_acc_sat"))
    return sum;
  const bool is_unsigned = call.name.ends_with("_uint");
  return binary(call, is_unsigned ? intrinsics::uadd_sat : intrinsics::sadd_sat, sum, call.arg(2));
}

constexpr Row integer_row_list[] = {
    {"dot_acc_sat", emit_dot_of_bytes},
    {"dot_4x8packed_uu_uint", emit_packed_dot},
    {"dot_4x8packed_ss_int", emit_packed_dot},
    {"dot_4x8packed_us_int", emit_packed_dot},
    {"dot_4x8packed_su_int", emit_packed_dot},
    {"dot_acc_sat_4x8packed_uu_uint", emit_packed_dot},
    {"dot_acc_sat_4x8packed_ss_int", emit_packed_dot},
    {"dot_acc_sat_4x8packed_us_int", emit_packed_dot},
    {"dot_acc_sat_4x8packed_su_int", emit_packed_dot},
    {"abs", emit_abs},
    {"abs_diff", emit_abs_diff},
    {"add_sat", emit_saturating, 0},
    {"sub_sat", emit_saturating, 1},
    {"hadd", emit_halving_add, 0},
    {"rhadd", emit_halving_add, 1},
    {"clz", emit_count_zeros, intrinsics::ctlz},
    {"ctz", emit_count_zeros, intrinsics::cttz},
    {"popcount", emit_popcount},
    {"mul_hi", emit_mul_hi},
    {"mad_hi", emit_mad_hi},
    {"mad_sat", emit_mad_sat},
    {"mul24", emit_mul24},
    {"mad24", emit_mad24},
    {"rotate", emit_rotate},
    {"upsample", emit_upsample},
};

} // namespace

/// dot and dot_acc_sat of four bytes each.
llvm::Value* emit_dot_of_bytes(BuiltinCall& call) {
  const auto is_bytes = [](const llvm::Value* value) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return vector && vector->getNumElements() == 4 && vector->getElementType()->isIntegerTy(8);
  };
  if (call.count() < 2 || !is_bytes(call.arg(0)) || !is_bytes(call.arg(1)))
    return nullptr;
  llvm::Value* sum = constant(call, 0);
  for (unsigned k = 0; k < 4; ++k) {
    const auto byte_of = [&](unsigned argument) {
      return call.b.CreateIntCast(call.b.CreateExtractElement(call.arg(argument), k), call.type(),
                                  !call.is_unsigned(argument));
    };
    sum = call.b.CreateAdd(sum, call.b.CreateMul(byte_of(0), byte_of(1)));
  }
  if (call.count() == 2)
    return sum;
  const bool is_unsigned = call.is_unsigned(0) && call.is_unsigned(1);
  return binary(call, is_unsigned ? intrinsics::uadd_sat : intrinsics::sadd_sat, sum, call.arg(2));
}

std::span<const Row> integer_rows() {
  return integer_row_list;
}

} // namespace forewarp::frontend::lowering
