// native_* and half_*: the hardware's own approximations. NVIDIA: nvvm approx intrinsics (base-2 forms with a
// scale in front, as the vendor's headers do); AMD: the plain intrinsic with `afn`, which the back end maps
// to v_*.
#include "frontend/lowering/tables/tables.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <numbers>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;

enum Fast : unsigned {
  fast_sin,
  fast_cos,
  fast_tan,
  fast_exp,
  fast_exp2,
  fast_exp10,
  fast_log,
  fast_log2,
  fast_log10,
  fast_sqrt,
  fast_rsqrt,
  fast_recip,
  fast_divide,
  fast_powr
};

constexpr double log2_of_e = std::numbers::log2e, log2_of_10 = std::numbers::ln10 / std::numbers::ln2;

llvm::Value* scaled(BuiltinCall& call, llvm::Value* value, double factor) {
  return call.b.CreateFMul(value, llvm::ConstantFP::get(value->getType(), factor));
}

llvm::Value* unary(BuiltinCall& call, intrinsics::ID id, llvm::Value* value) {
  return call.intrinsic(id, {}, {value});
}

llvm::Value* nvidia_divide(BuiltinCall& call, llvm::Value* x, llvm::Value* y) {
  return call.intrinsic(intrinsics::nvvm_div_approx_f, {}, {x, y});
}

llvm::Value* nvidia_form(BuiltinCall& call, llvm::ArrayRef<llvm::Value*> p) {
  llvm::Value* x = p[0];
  switch (static_cast<Fast>(call.row.code)) {
  case fast_sin:
    return unary(call, intrinsics::nvvm_sin_approx_f, x);
  case fast_cos:
    return unary(call, intrinsics::nvvm_cos_approx_f, x);
  case fast_tan:
    return nvidia_divide(call, unary(call, intrinsics::nvvm_sin_approx_f, x),
                         unary(call, intrinsics::nvvm_cos_approx_f, x));
  case fast_exp:
    return unary(call, intrinsics::nvvm_ex2_approx_f, scaled(call, x, log2_of_e));
  case fast_exp2:
    return unary(call, intrinsics::nvvm_ex2_approx_f, x);
  case fast_exp10:
    return unary(call, intrinsics::nvvm_ex2_approx_f, scaled(call, x, log2_of_10));
  case fast_log:
    return scaled(call, unary(call, intrinsics::nvvm_lg2_approx_f, x), std::numbers::ln2);
  case fast_log2:
    return unary(call, intrinsics::nvvm_lg2_approx_f, x);
  case fast_log10:
    return scaled(call, unary(call, intrinsics::nvvm_lg2_approx_f, x), 1 / log2_of_10);
  case fast_sqrt:
    return unary(call, intrinsics::nvvm_sqrt_approx_f, x);
  case fast_rsqrt:
    return unary(call, intrinsics::nvvm_rsqrt_approx_f, x);
  case fast_recip:
    return unary(call, intrinsics::nvvm_rcp_approx_ftz_f, x);
  case fast_divide:
    return nvidia_divide(call, x, p[1]);
  case fast_powr:
    return unary(call, intrinsics::nvvm_ex2_approx_f,
                 call.b.CreateFMul(p[1], unary(call, intrinsics::nvvm_lg2_approx_f, x)));
  }
  return nullptr;
}

llvm::Value* plain_form(BuiltinCall& call, llvm::ArrayRef<llvm::Value*> p) {
  llvm::FastMathFlags flags;
  flags.setApproxFunc();
  flags.setAllowReciprocal();
  llvm::IRBuilder<>::FastMathFlagGuard guard(call.b);
  call.b.setFastMathFlags(flags);
  llvm::Type* type = p[0]->getType();
  llvm::Value* one = llvm::ConstantFP::get(type, 1.0);
  auto make = [&](intrinsics::ID id) { return call.b.CreateUnaryIntrinsic(id, p[0]); };
  switch (static_cast<Fast>(call.row.code)) {
  case fast_sin:
    return make(intrinsics::sin);
  case fast_cos:
    return make(intrinsics::cos);
  case fast_tan:
    return call.b.CreateFDiv(make(intrinsics::sin), make(intrinsics::cos));
  case fast_exp:
    return make(intrinsics::exp);
  case fast_exp2:
    return make(intrinsics::exp2);
  case fast_exp10:
    return make(intrinsics::exp10);
  case fast_log:
    return make(intrinsics::log);
  case fast_log2:
    return make(intrinsics::log2);
  case fast_log10:
    return make(intrinsics::log10);
  case fast_sqrt:
    return make(intrinsics::sqrt);
  case fast_rsqrt:
    return call.b.CreateFDiv(one, make(intrinsics::sqrt));
  case fast_recip:
    return call.b.CreateFDiv(one, p[0]);
  case fast_divide:
    return call.b.CreateFDiv(p[0], p[1]);
  case fast_powr:
    return call.b.CreateUnaryIntrinsic(intrinsics::exp2, call.b.CreateFMul(p[1], make(intrinsics::log2)));
  }
  return nullptr;
}

llvm::Value* emit_fast(BuiltinCall& call) {
  llvm::SmallVector<llvm::Value*, 2> arguments;
  for (unsigned i = 0; i < call.count(); ++i)
    arguments.push_back(call.arg_as_result(i));
  if (!call.type()->getScalarType()->isFloatTy() || !call.nvidia())
    return plain_form(call, arguments);
  return call.per_component(call.type(), arguments,
                            [&](llvm::ArrayRef<llvm::Value*> p) { return nvidia_form(call, p); });
}

constexpr Row fast_math_row_list[] = {
    {"native_sin", emit_fast, fast_sin},       {"half_sin", emit_fast, fast_sin},
    {"native_cos", emit_fast, fast_cos},       {"half_cos", emit_fast, fast_cos},
    {"native_tan", emit_fast, fast_tan},       {"half_tan", emit_fast, fast_tan},
    {"native_exp", emit_fast, fast_exp},       {"half_exp", emit_fast, fast_exp},
    {"native_exp2", emit_fast, fast_exp2},     {"half_exp2", emit_fast, fast_exp2},
    {"native_exp10", emit_fast, fast_exp10},   {"half_exp10", emit_fast, fast_exp10},
    {"native_log", emit_fast, fast_log},       {"half_log", emit_fast, fast_log},
    {"native_log2", emit_fast, fast_log2},     {"half_log2", emit_fast, fast_log2},
    {"native_log10", emit_fast, fast_log10},   {"half_log10", emit_fast, fast_log10},
    {"native_sqrt", emit_fast, fast_sqrt},     {"half_sqrt", emit_fast, fast_sqrt},
    {"native_rsqrt", emit_fast, fast_rsqrt},   {"half_rsqrt", emit_fast, fast_rsqrt},
    {"native_recip", emit_fast, fast_recip},   {"half_recip", emit_fast, fast_recip},
    {"native_divide", emit_fast, fast_divide}, {"half_divide", emit_fast, fast_divide},
    {"native_powr", emit_fast, fast_powr},     {"half_powr", emit_fast, fast_powr},
};

} // namespace

std::span<const Row> fast_math_rows() {
  return fast_math_row_list;
}

} // namespace forewarp::frontend::lowering
