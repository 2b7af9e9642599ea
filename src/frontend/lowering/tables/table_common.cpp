// OpenCL 6.12.4 (common) and 6.12.5 (geometric) functions. min, max, clamp also serve integers (6.12.3).
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/Intrinsics.h>

#include <numbers>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;

bool is_float(BuiltinCall& call) {
  return call.type()->isFPOrFPVectorTy();
}

llvm::Value* lower_bound(BuiltinCall& call, llvm::Value* x, llvm::Value* low) {
  intrinsics::ID id = is_float(call)        ? intrinsics::maxnum
                      : call.is_unsigned(0) ? intrinsics::umax
                                            : intrinsics::smax;
  return call.intrinsic(id, {call.type()}, {x, low});
}

llvm::Value* upper_bound(BuiltinCall& call, llvm::Value* x, llvm::Value* high) {
  intrinsics::ID id = is_float(call)        ? intrinsics::minnum
                      : call.is_unsigned(0) ? intrinsics::umin
                                            : intrinsics::smin;
  return call.intrinsic(id, {call.type()}, {x, high});
}

llvm::Value* emit_min(BuiltinCall& call) {
  return upper_bound(call, call.arg(0), call.arg_as_result(1));
}
llvm::Value* emit_max(BuiltinCall& call) {
  return lower_bound(call, call.arg(0), call.arg_as_result(1));
}
llvm::Value* emit_clamp(BuiltinCall& call) {
  return upper_bound(call, lower_bound(call, call.arg(0), call.arg_as_result(1)), call.arg_as_result(2));
}

llvm::Value* constant(BuiltinCall& call, double value) {
  return llvm::ConstantFP::get(call.type(), value);
}

llvm::Value* multiply_add(BuiltinCall& call, llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  return call.intrinsic(intrinsics::fmuladd, {a->getType()}, {a, b, c});
}

llvm::Value* emit_mix(BuiltinCall& call) {
  llvm::Value *x = call.arg(0), *y = call.arg(1), *a = call.arg_as_result(2);
  return multiply_add(call, call.b.CreateFSub(y, x), a, x);
}

llvm::Value* emit_scale(BuiltinCall& call) {
  constexpr double degree = std::numbers::pi / 180;
  return call.b.CreateFMul(call.arg(0), constant(call, call.row.code ? degree : 1 / degree));
}

llvm::Value* emit_step(BuiltinCall& call) {
  llvm::Value *edge = call.arg_as_result(0), *x = call.arg(1);
  return call.b.CreateSelect(call.b.CreateFCmpOLT(x, edge), constant(call, 0), constant(call, 1));
}

llvm::Value* emit_smoothstep(BuiltinCall& call) {
  llvm::Value *e0 = call.arg_as_result(0), *e1 = call.arg_as_result(1), *x = call.arg(2);
  llvm::Value* t = call.b.CreateFDiv(call.b.CreateFSub(x, e0), call.b.CreateFSub(e1, e0));
  t = upper_bound(call, lower_bound(call, t, constant(call, 0)), constant(call, 1));
  llvm::Value* slope = multiply_add(call, t, constant(call, -2), constant(call, 3));
  return call.b.CreateFMul(call.b.CreateFMul(t, t), slope);
}

llvm::Value* emit_sign(BuiltinCall& call) {
  llvm::Value *x = call.arg(0), *zero = constant(call, 0);
  llvm::Value* signed_one = call.intrinsic(intrinsics::copysign, {call.type()}, {constant(call, 1), x});
  llvm::Value* signed_zero = call.intrinsic(intrinsics::copysign, {call.type()}, {zero, x});
  llvm::Value* result = call.b.CreateSelect(call.b.CreateFCmpUEQ(x, zero), signed_zero, signed_one);
  return call.b.CreateSelect(call.b.CreateFCmpUNO(x, x), zero, result);
}

// Geometric functions.

unsigned width(llvm::Value* value) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
  return vector ? vector->getNumElements() : 1;
}

llvm::Value* component(BuiltinCall& call, llvm::Value* value, unsigned i) {
  return value->getType()->isVectorTy() ? call.b.CreateExtractElement(value, i) : value;
}

llvm::Value* dot(BuiltinCall& call, llvm::Value* x, llvm::Value* y) {
  llvm::Value* sum = call.b.CreateFMul(component(call, x, 0), component(call, y, 0));
  for (unsigned i = 1; i < width(x); ++i)
    sum = multiply_add(call, component(call, x, i), component(call, y, i), sum);
  return sum;
}

llvm::Value* length(BuiltinCall& call, llvm::Value* x) {
  llvm::Value* square = dot(call, x, x);
  return call.intrinsic(intrinsics::sqrt, {square->getType()}, {square});
}

llvm::Value* emit_dot(BuiltinCall& call) {
  if (call.arg(0)->getType()->isIntOrIntVectorTy())
    return emit_dot_of_bytes(call);
  return dot(call, call.arg(0), call.arg(1));
}
llvm::Value* emit_length(BuiltinCall& call) {
  return length(call, call.arg(0));
}
llvm::Value* emit_distance(BuiltinCall& call) {
  return length(call, call.b.CreateFSub(call.arg(0), call.arg(1)));
}

/// NOT modelled: the guard against overflow and zero length of the vendors' library (a few selects).
llvm::Value* emit_normalize(BuiltinCall& call) {
  llvm::Value* size = length(call, call.arg(0));
  llvm::Value* inverse = call.b.CreateFDiv(llvm::ConstantFP::get(size->getType(), 1.0), size);
  unsigned n = width(call.arg(0));
  return call.b.CreateFMul(call.arg(0), n == 1 ? inverse : call.b.CreateVectorSplat(n, inverse));
}

llvm::Value* emit_cross(BuiltinCall& call) {
  llvm::Value *x = call.arg(0), *y = call.arg(1);
  llvm::Value* result = llvm::Constant::getNullValue(call.type());
  for (unsigned i = 0; i < 3; ++i) {
    unsigned j = (i + 1) % 3, k = (i + 2) % 3;
    llvm::Value* negative =
        call.b.CreateFNeg(call.b.CreateFMul(component(call, x, k), component(call, y, j)));
    llvm::Value* value = multiply_add(call, component(call, x, j), component(call, y, k), negative);
    result = call.b.CreateInsertElement(result, value, i);
  }
  return result;
}

constexpr Row common_row_list[] = {
    {"min", emit_min},
    {"max", emit_max},
    {"clamp", emit_clamp},
    {"mix", emit_mix},
    {"degrees", emit_scale, 0},
    {"radians", emit_scale, 1},
    {"step", emit_step},
    {"smoothstep", emit_smoothstep},
    {"sign", emit_sign},
    {"dot", emit_dot},
    {"length", emit_length},
    {"fast_length", emit_length},
    {"distance", emit_distance},
    {"fast_distance", emit_distance},
    {"normalize", emit_normalize},
    {"fast_normalize", emit_normalize},
    {"cross", emit_cross},
};

} // namespace

std::span<const Row> common_rows() {
  return common_row_list;
}

} // namespace forewarp::frontend::lowering
