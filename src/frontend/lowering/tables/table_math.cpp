// OpenCL 6.12.2: to LLVM's intrinsics where they exist, to markers (ir/builtins.h) where not.
#include "frontend/lowering/tables/tables.h"
#include "ir/sincos_mark.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cmath>

namespace forewarp::frontend::lowering {

namespace {

namespace intrinsics = llvm::Intrinsic;

struct OfConstants {
  llvm::StringRef name;
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};
const OfConstants of_constants[] = {
    {"acos", std::acos},       {"acosh", std::acosh},     {"asin", std::asin},   {"asinh", std::asinh},
    {"atan", std::atan},       {"atanh", std::atanh},     {"cbrt", std::cbrt},   {"cosh", std::cosh},
    {"erf", std::erf},         {"erfc", std::erfc},       {"expm1", std::expm1}, {"log1p", std::log1p},
    {"sinh", std::sinh},       {"tan", std::tan},         {"tanh", std::tanh},   {"tgamma", std::tgamma},
    {"atan2", {}, std::atan2}, {"hypot", {}, std::hypot},
};

/// Of constants, as compilers fold them: acos(-1.0) and 4 * atan(1.0) are how many sources write pi. Null:
/// not known, or no finite number.
llvm::Constant* folded(llvm::StringRef name, llvm::Type* type, llvm::ArrayRef<llvm::Value*> arguments) {
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  llvm::SmallVector<double, 2> numbers;
  for (const llvm::Value* argument : arguments) {
    const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(argument);
    if (constant == nullptr || argument->getType() != type)
      return nullptr;
    numbers.push_back(type->isFloatTy() ? constant->getValueAPF().convertToFloat()
                                        : constant->getValueAPF().convertToDouble());
  }
  for (const OfConstants& row : of_constants) {
    if (row.name != name || numbers.size() != (row.two != nullptr ? 2U : 1U))
      continue;
    const double result = row.two != nullptr ? row.two(numbers[0], numbers[1]) : row.one(numbers[0]);
    return std::isfinite(result) ? llvm::ConstantFP::get(type, result) : nullptr;
  }
  return nullptr;
}

/// All operands have the result's type.
llvm::Value* emit_intrinsic(BuiltinCall& call) {
  llvm::SmallVector<llvm::Value*, 3> arguments;
  for (unsigned i = 0; i < call.count(); ++i)
    arguments.push_back(call.arg_as_result(i));
  if (!call.type()->isFPOrFPVectorTy())
    return nullptr;
  if (llvm::Constant* constant = folded(call.row.name, call.type(), arguments))
    return constant;
  return call.intrinsic(call.row.code, {call.type()}, arguments);
}

llvm::Value* emit_marker(BuiltinCall& call) {
  llvm::SmallVector<llvm::Value*, 3> arguments(call.call.args());
  return call.per_component(
      call.type(), arguments, [&](llvm::ArrayRef<llvm::Value*> components) -> llvm::Value* {
        llvm::Type* operand = components[0]->getType();
        if (llvm::Constant* constant = folded(call.row.name, call.type()->getScalarType(), components))
          return constant;
        return call.marker(std::string("math.") + call.row.name + "." + type_suffix(operand),
                           call.type()->getScalarType(), components);
      });
}

llvm::Value* emit_mad(BuiltinCall& call) {
  return call.intrinsic(intrinsics::fmuladd, {call.type()}, {call.arg(0), call.arg(1), call.arg(2)});
}

llvm::Value* emit_fmod(BuiltinCall& call) {
  return call.b.CreateFRem(call.arg(0), call.arg_as_result(1));
}

llvm::Value* emit_fdim(BuiltinCall& call) {
  llvm::Value *x = call.arg(0), *y = call.arg_as_result(1);
  return call.b.CreateSelect(call.b.CreateFCmpOLE(x, y), llvm::Constant::getNullValue(call.type()),
                             call.b.CreateFSub(x, y));
}

/// Integer exponents: intrinsics::powi and ldexp take them as they are; vectors share no exponent, hence per
/// component.
llvm::Value* emit_integer_exponent(BuiltinCall& call) {
  return call.per_component(call.type(), {call.arg(0), call.arg(1)}, [&](llvm::ArrayRef<llvm::Value*> p) {
    return call.intrinsic(call.row.code, {p[0]->getType(), p[1]->getType()}, {p[0], p[1]});
  });
}

/// maxmag, minmag: the operand of larger (smaller) magnitude, fmax / fmin on a tie.
llvm::Value* emit_magnitude(BuiltinCall& call) {
  bool larger = call.row.code == intrinsics::maxnum;
  llvm::Value *x = call.arg(0), *y = call.arg(1);
  llvm::Value *ax = call.intrinsic(intrinsics::fabs, {call.type()}, {x}),
              *ay = call.intrinsic(intrinsics::fabs, {call.type()}, {y});
  llvm::Value* tie = call.intrinsic(call.row.code, {call.type()}, {x, y});
  llvm::Value* x_wins = larger ? call.b.CreateFCmpOGT(ax, ay) : call.b.CreateFCmpOLT(ax, ay);
  llvm::Value* y_wins = larger ? call.b.CreateFCmpOGT(ay, ax) : call.b.CreateFCmpOLT(ay, ax);
  return call.b.CreateSelect(x_wins, x, call.b.CreateSelect(y_wins, y, tie));
}

llvm::Value* emit_nan(BuiltinCall& call) {
  return llvm::ConstantFP::getNaN(call.type());
}

/// ROCm's library takes the hardware's v_rsq_f32, which flushes denormals: those are scaled where they count
/// (ROCm-Device-Libs, ocml/src/rsqrtF.cl).
llvm::Value* amd_rsqrt(BuiltinCall& call, llvm::Value* x) {
  const auto root = [&](llvm::Value* v) {
    return call.intrinsic(intrinsics::amdgcn_rsq, {v->getType()}, {v});
  };
  const llvm::DenormalMode mode = call.call.getFunction()->getDenormalMode(llvm::APFloat::IEEEsingle());
  if (mode.Input == llvm::DenormalMode::PreserveSign)
    return root(x);
  const auto number = [&](double v) { return llvm::ConstantFP::get(x->getType(), v); };
  llvm::Value* is_small = call.b.CreateFCmpOLT(x, number(0x1p-100));
  llvm::Value* scaled = call.b.CreateFMul(x, call.b.CreateSelect(is_small, number(0x1p100), number(1)));
  return call.b.CreateFMul(root(scaled), call.b.CreateSelect(is_small, number(0x1p50), number(1)));
}

llvm::Value* emit_rsqrt(BuiltinCall& call) {
  llvm::Type* scalar = call.type()->getScalarType();
  if (scalar->isHalfTy() || (!call.nvidia() && scalar->isDoubleTy()))
    return call.b.CreateFDiv(llvm::ConstantFP::get(call.type(), 1.0),
                             call.intrinsic(intrinsics::sqrt, {call.type()}, {call.arg(0)}));
  const intrinsics::ID id =
      scalar->isDoubleTy() ? intrinsics::nvvm_rsqrt_approx_d : intrinsics::nvvm_rsqrt_approx_f;
  return call.per_component(call.type(), {call.arg(0)}, [&](llvm::ArrayRef<llvm::Value*> p) {
    return call.nvidia() ? call.intrinsic(id, {}, {p[0]}) : amd_rsqrt(call, p[0]);
  });
}

// Results through a pointer.

llvm::Align component_alignment(BuiltinCall& call, llvm::Type* type) {
  return call.module().getDataLayout().getABITypeAlign(type);
}

void store_second(BuiltinCall& call, llvm::Value* value) {
  call.b.CreateAlignedStore(value, call.arg(call.count() - 1), component_alignment(call, value->getType()));
}

llvm::Value* emit_sincos(BuiltinCall& call) {
  llvm::Value* cosine = call.intrinsic(intrinsics::cos, {call.type()}, {call.arg(0)});
  llvm::Value* sine = call.intrinsic(intrinsics::sin, {call.type()}, {call.arg(0)});
  for (llvm::Value* one : {cosine, sine})
    if (auto* made = llvm::dyn_cast<llvm::Instruction>(one))
      made->setMetadata(llvm::StringRef(ir::builtins::sincos), llvm::MDNode::get(made->getContext(), {}));
  store_second(call, cosine);
  return sine;
}

llvm::Value* emit_fract(BuiltinCall& call) {
  llvm::Value* whole = call.intrinsic(intrinsics::floor, {call.type()}, {call.arg(0)});
  store_second(call, whole);
  llvm::APFloat below_one(call.type()->getScalarType()->getFltSemantics(), 1);
  below_one.next(/*nextDown=*/true);
  llvm::Value* limit = llvm::ConstantFP::get(call.type(), below_one);
  return call.intrinsic(intrinsics::minnum, {call.type()}, {call.b.CreateFSub(call.arg(0), whole), limit});
}

llvm::Value* emit_modf(BuiltinCall& call) {
  llvm::Value* whole = call.intrinsic(intrinsics::trunc, {call.type()}, {call.arg(0)});
  store_second(call, whole);
  return call.intrinsic(intrinsics::copysign, {call.type()},
                        {call.b.CreateFSub(call.arg(0), whole), call.arg(0)});
}

llvm::Value* emit_frexp(BuiltinCall& call) {
  llvm::Type* exponent = call.type()->getWithNewType(call.b.getInt32Ty());
  llvm::Value* pair = call.intrinsic(intrinsics::frexp, {call.type(), exponent}, {call.arg(0)});
  store_second(call, call.b.CreateExtractValue(pair, 1));
  return call.b.CreateExtractValue(pair, 0);
}

constexpr Row math_row_list[] = {
    {"sin", emit_intrinsic, intrinsics::sin},
    {"cos", emit_intrinsic, intrinsics::cos},
    {"tan", emit_intrinsic, intrinsics::tan},
    {"asin", emit_intrinsic, intrinsics::asin},
    {"acos", emit_intrinsic, intrinsics::acos},
    {"atan", emit_intrinsic, intrinsics::atan},
    {"sinh", emit_intrinsic, intrinsics::sinh},
    {"cosh", emit_intrinsic, intrinsics::cosh},
    {"tanh", emit_intrinsic, intrinsics::tanh},
    {"exp", emit_intrinsic, intrinsics::exp},
    {"exp2", emit_intrinsic, intrinsics::exp2},
    {"exp10", emit_intrinsic, intrinsics::exp10},
    {"log", emit_intrinsic, intrinsics::log},
    {"log2", emit_intrinsic, intrinsics::log2},
    {"log10", emit_intrinsic, intrinsics::log10},
    {"sqrt", emit_intrinsic, intrinsics::sqrt},
    {"fabs", emit_intrinsic, intrinsics::fabs},
    {"floor", emit_intrinsic, intrinsics::floor},
    {"ceil", emit_intrinsic, intrinsics::ceil},
    {"trunc", emit_intrinsic, intrinsics::trunc},
    {"rint", emit_intrinsic, intrinsics::rint},
    {"round", emit_intrinsic, intrinsics::round},
    {"copysign", emit_intrinsic, intrinsics::copysign},
    {"fmin", emit_intrinsic, intrinsics::minnum},
    {"fmax", emit_intrinsic, intrinsics::maxnum},
    {"pow", emit_intrinsic, intrinsics::pow},
    {"powr", emit_intrinsic, intrinsics::pow},
    {"fma", emit_intrinsic, intrinsics::fma},
    {"mad", emit_mad},
    {"pown", emit_integer_exponent, intrinsics::powi},
    {"ldexp", emit_integer_exponent, intrinsics::ldexp},
    {"fmod", emit_fmod},
    {"fdim", emit_fdim},
    {"maxmag", emit_magnitude, intrinsics::maxnum},
    {"minmag", emit_magnitude, intrinsics::minnum},
    {"nan", emit_nan},
    {"rsqrt", emit_rsqrt},
    {"sincos", emit_sincos},
    {"fract", emit_fract},
    {"modf", emit_modf},
    {"frexp", emit_frexp},
    {"acosh", emit_marker},
    {"acospi", emit_marker},
    {"asinh", emit_marker},
    {"asinpi", emit_marker},
    {"atan2", emit_marker},
    {"atan2pi", emit_marker},
    {"atanh", emit_marker},
    {"atanpi", emit_marker},
    {"cbrt", emit_marker},
    {"cospi", emit_marker},
    {"erf", emit_marker},
    {"erfc", emit_marker},
    {"expm1", emit_marker},
    {"hypot", emit_marker},
    {"ilogb", emit_marker},
    {"lgamma", emit_marker},
    {"log1p", emit_marker},
    {"logb", emit_marker},
    {"nextafter", emit_marker},
    {"remainder", emit_marker},
    {"rootn", emit_marker},
    {"sinpi", emit_marker},
    {"tanpi", emit_marker},
    {"tgamma", emit_marker},
};

} // namespace

std::span<const Row> math_rows() {
  return math_row_list;
}

} // namespace forewarp::frontend::lowering
