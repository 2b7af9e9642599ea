#include "native/lower_math.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

#include <array>
#include <string>

namespace forewarp::native {
namespace {

using llvm::Intrinsic::ID;

struct Same {
  const char* prefix;
  ID id;
};
constexpr Same intrinsics[] = {
    {"sin.approx", llvm::Intrinsic::sin},   {"cos.approx", llvm::Intrinsic::cos},
    {"ex2.approx", llvm::Intrinsic::exp2},  {"lg2.approx", llvm::Intrinsic::log2},
    {"sqrt.", llvm::Intrinsic::sqrt},       {"fma.", llvm::Intrinsic::fma},
    {"fabs", llvm::Intrinsic::fabs},        {"floor", llvm::Intrinsic::floor},
    {"ceil", llvm::Intrinsic::ceil},        {"trunc", llvm::Intrinsic::trunc},
    {"round", llvm::Intrinsic::roundeven},  {"fmin.nan", llvm::Intrinsic::minimum},
    {"fmax.nan", llvm::Intrinsic::maximum}, {"fmin", llvm::Intrinsic::minnum},
    {"fmax", llvm::Intrinsic::maxnum},
};

struct Conversion {
  const char* prefix;
  enum { to_signed, to_unsigned, from_signed, from_unsigned, narrower, to_half } kind;
};
constexpr Conversion conversions[] = {
    {"f2i.r", Conversion::to_signed},    {"f2ui.r", Conversion::to_unsigned},
    {"f2ll.r", Conversion::to_signed},   {"f2ull.r", Conversion::to_unsigned},
    {"d2i.r", Conversion::to_signed},    {"d2ui.r", Conversion::to_unsigned},
    {"d2ll.r", Conversion::to_signed},   {"d2ull.r", Conversion::to_unsigned},
    {"i2f.r", Conversion::from_signed},  {"ui2f.r", Conversion::from_unsigned},
    {"ll2f.r", Conversion::from_signed}, {"ull2f.r", Conversion::from_unsigned},
    {"i2d.r", Conversion::from_signed},  {"ui2d.r", Conversion::from_unsigned},
    {"ll2d.r", Conversion::from_signed}, {"ull2d.r", Conversion::from_unsigned},
    {"d2f.r", Conversion::narrower},     {"f2h.r", Conversion::to_half},
};

llvm::Value* rounded(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::StringRef name) {
  const ID id = name.contains(".rn")   ? llvm::Intrinsic::roundeven
                : name.contains(".rm") ? llvm::Intrinsic::floor
                : name.contains(".rp") ? llvm::Intrinsic::ceil
                                       : llvm::Intrinsic::trunc;
  return builder.CreateUnaryIntrinsic(id, value);
}

llvm::Value* convert(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name,
                     const Conversion& how) {
  llvm::Value* value = call.getArgOperand(0);
  llvm::Type* type = call.getType();
  switch (how.kind) {
  case Conversion::to_signed:
  case Conversion::to_unsigned: {
    const ID id =
        how.kind == Conversion::to_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return builder.CreateIntrinsic(id, {type, value->getType()}, {rounded(builder, value, name)});
  }
  case Conversion::from_signed:
    return builder.CreateSIToFP(value, type);
  case Conversion::from_unsigned:
    return builder.CreateUIToFP(value, type);
  case Conversion::narrower:
    return builder.CreateFPTrunc(value, type);
  case Conversion::to_half:
    return builder.CreateBitCast(builder.CreateFPTrunc(value, builder.getHalfTy()), type);
  }
  return nullptr;
}

llvm::Value* high_product(llvm::IRBuilder<>& builder, llvm::CallInst& call, bool is_signed) {
  llvm::Type* type = call.getType();
  const unsigned bits = type->getIntegerBitWidth();
  llvm::Type* wide = builder.getIntNTy(2 * bits);
  const auto widened = [&](unsigned k) {
    return is_signed ? builder.CreateSExt(call.getArgOperand(k), wide)
                     : builder.CreateZExt(call.getArgOperand(k), wide);
  };
  llvm::Value* product = builder.CreateMul(widened(0), widened(1));
  return builder.CreateTrunc(builder.CreateLShr(product, bits), type);
}

llvm::Value* call_library(llvm::IRBuilder<>& builder, llvm::Type* type, const std::string& name,
                          llvm::ArrayRef<llvm::Value*> arguments) {
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(module.getOrInsertFunction(name, llvm::FunctionType::get(type, types, false)),
                            arguments);
}

/// Of the processor's library: "sinf" for float, "sin" for double.
std::string library_name(llvm::StringRef name, const llvm::Type* type) {
  return (name + (type->isFloatTy() ? "f" : "")).str();
}

llvm::Value* with_pi(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef base) {
  llvm::Type* type = call.getType();
  llvm::Value* x = call.getArgOperand(0);
  const bool inverse = base.starts_with("a");
  if (!inverse)
    x = builder.CreateFMul(x, llvm::ConstantFP::get(type, 3.14159265358979323846));
  std::vector<llvm::Value*> arguments = {x};
  if (call.arg_size() > 1)
    arguments.push_back(call.getArgOperand(1));
  llvm::Value* value = call_library(builder, type, library_name(base, type), arguments);
  return inverse ? builder.CreateFMul(value, llvm::ConstantFP::get(type, 0.31830988618379067154)) : value;
}

/// Four of the eight bytes of two words, each by a number of the selector; its highest bit asks for copies of
/// the byte's sign.
llvm::Value* permuted_bytes(llvm::IRBuilder<>& b, llvm::CallInst& call) {
  llvm::Type *word = b.getInt32Ty(), *both = b.getInt64Ty();
  llvm::Value* high = b.CreateShl(b.CreateZExt(call.getArgOperand(1), both), 32);
  llvm::Value* bytes = b.CreateOr(high, b.CreateZExt(call.getArgOperand(0), both));
  llvm::Value* out = b.getInt32(0);
  for (unsigned k = 0; k < 4; ++k) {
    llvm::Value* choice = b.CreateLShr(call.getArgOperand(2), 4 * k);
    llvm::Value* bits = b.CreateZExt(b.CreateShl(b.CreateAnd(choice, 7), 3), both);
    llvm::Value* byte = b.CreateTrunc(b.CreateLShr(bytes, bits), b.getInt8Ty());
    llvm::Value* sign = b.CreateAShr(byte, 7);
    byte = b.CreateSelect(b.CreateIsNotNull(b.CreateAnd(choice, 8)), sign, byte);
    out = b.CreateOr(out, b.CreateShl(b.CreateZExt(byte, word), 8 * k));
  }
  return out;
}

} // namespace

llvm::Value* call_helper(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef helper) {
  const std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end());
  return call_library(builder, call.getType(), helper.str(), arguments);
}

llvm::Value* lower_target_math(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name) {
  llvm::Type* type = call.getType();
  if (name.starts_with("mulhi."))
    return high_product(builder, call, !name.ends_with(".ui") && !name.ends_with(".ull"));
  if (name == "prmt")
    return permuted_bytes(builder, call);
  if (name.starts_with("bitcast."))
    return builder.CreateBitCast(call.getArgOperand(0), type);
  for (const Conversion& conversion : conversions)
    if (name.starts_with(conversion.prefix))
      return convert(builder, call, name, conversion);
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  llvm::Value* x = call.getArgOperand(0);
  llvm::Value* one = llvm::ConstantFP::get(type, 1.0);
  if (name.starts_with("rsqrt.approx"))
    return builder.CreateFDiv(one, builder.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
  if (name.starts_with("rcp."))
    return builder.CreateFDiv(one, x);
  if (name.starts_with("div."))
    return builder.CreateFDiv(x, call.getArgOperand(1));
  if (name.starts_with("add.r"))
    return builder.CreateFAdd(x, call.getArgOperand(1));
  if (name.starts_with("mul.r"))
    return builder.CreateFMul(x, call.getArgOperand(1));
  if (name.starts_with("tanh.approx"))
    return call_library(builder, type, library_name("tanh", type), {x});
  if (name.starts_with("saturate"))
    return builder.CreateMinNum(builder.CreateMaxNum(x, llvm::Constant::getNullValue(type)), one);
  for (const Same& same : intrinsics)
    if (name.starts_with(same.prefix))
      return builder.CreateIntrinsic(same.id, {type},
                                     std::vector<llvm::Value*>(call.arg_begin(), call.arg_end()));
  return nullptr;
}

llvm::Value* lower_math_marker(llvm::IRBuilder<>& builder, llvm::CallInst& call, llvm::StringRef name) {
  llvm::Type* type = call.getArgOperand(0)->getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  static constexpr std::array same = {"acosh", "asinh",     "atan2", "atanh",     "cbrt",   "erf",
                                      "erfc",  "expm1",     "hypot", "ilogb",     "lgamma", "log1p",
                                      "logb",  "nextafter", "pow",   "remainder", "tgamma"};
  for (const char* function : same)
    if (name == function)
      return call_helper(builder, call, library_name(name, type));
  if (llvm::StringRef base = name; base.consume_back("pi"))
    return with_pi(builder, call, base);
  if (name == "rootn") {
    llvm::Value* n = builder.CreateSIToFP(call.getArgOperand(1), type);
    llvm::Value* power = builder.CreateFDiv(llvm::ConstantFP::get(type, 1.0), n);
    return builder.CreateBinaryIntrinsic(llvm::Intrinsic::pow, call.getArgOperand(0), power);
  }
  return nullptr;
}

} // namespace forewarp::native
