#include "frontend/lowering/convert.h"

#include <llvm/IR/Intrinsics.h>

namespace forewarp::frontend::lowering {

namespace {

struct Conversion {
  bool to_unsigned = false, saturate = false;
  std::string rounding; ///< "", "rte", "rtz", "rtp", "rtn"
};

/// "convert_uchar4_sat_rte" -> its parts; the type itself is the call's.
Conversion parse(std::string_view name) {
  Conversion conversion;
  name.remove_prefix(std::string_view("convert_").size());
  conversion.to_unsigned = name.starts_with('u');
  conversion.saturate = name.find("_sat") != std::string_view::npos;
  for (const char* mode : {"rte", "rtz", "rtp", "rtn"})
    if (name.ends_with(std::string("_") + mode))
      conversion.rounding = mode;
  return conversion;
}

llvm::Value* round_to_integral(BuiltinCall& call, llvm::Value* value, const std::string& rounding) {
  llvm::Intrinsic::ID id = rounding == "rte"   ? llvm::Intrinsic::rint
                           : rounding == "rtp" ? llvm::Intrinsic::ceil
                           : rounding == "rtn" ? llvm::Intrinsic::floor
                                               : llvm::Intrinsic::not_intrinsic;
  return id ? call.intrinsic(id, {value->getType()}, {value}) : value;
}

llvm::Value* float_to_integer(BuiltinCall& call, llvm::Value* value, const Conversion& conversion) {
  value = round_to_integral(call, value, conversion.rounding);
  if (conversion.saturate)
    return call.intrinsic(conversion.to_unsigned ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat,
                          {call.type(), value->getType()}, {value});
  return conversion.to_unsigned ? call.b.CreateFPToUI(value, call.type())
                                : call.b.CreateFPToSI(value, call.type());
}

/// Bounds of the target type as constants of the source's type; a bound outside of the source's range is left
/// out.
llvm::Value* saturate_integer(BuiltinCall& call, llvm::Value* value, bool from_unsigned, bool to_unsigned) {
  unsigned from = value->getType()->getScalarSizeInBits();
  unsigned to = call.type()->getScalarSizeInBits();
  llvm::APInt high =
      to_unsigned ? llvm::APInt::getMaxValue(to).zext(129) : llvm::APInt::getSignedMaxValue(to).sext(129);
  llvm::APInt low = to_unsigned ? llvm::APInt(129, 0) : llvm::APInt::getSignedMinValue(to).sext(129);
  llvm::APInt from_high = from_unsigned ? llvm::APInt::getMaxValue(from).zext(129)
                                        : llvm::APInt::getSignedMaxValue(from).sext(129);
  llvm::APInt from_low = from_unsigned ? llvm::APInt(129, 0) : llvm::APInt::getSignedMinValue(from).sext(129);
  auto constant = [&](const llvm::APInt& bound) {
    return llvm::ConstantInt::get(value->getType(), bound.trunc(from));
  };
  if (high.slt(from_high))
    value = call.b.CreateBinaryIntrinsic(from_unsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin, value,
                                         constant(high));
  if (low.sgt(from_low))
    value = call.b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, value, constant(low));
  return call.b.CreateIntCast(value, call.type(), !from_unsigned);
}

llvm::Value* emit_convert(BuiltinCall& call) {
  Conversion conversion = parse(call.name);
  if (call.count() != 1)
    return nullptr;
  llvm::Value* value = call.arg(0);
  bool from_float = value->getType()->isFPOrFPVectorTy(), to_float = call.type()->isFPOrFPVectorTy();
  bool from_unsigned = call.is_unsigned(0);
  if (from_float && to_float) // any rounding: it costs the same, and the value is to nearest
    return call.b.CreateFPCast(value, call.type());
  if (from_float)
    return float_to_integer(call, value, conversion);
  if (to_float)
    return from_unsigned ? call.b.CreateUIToFP(value, call.type()) : call.b.CreateSIToFP(value, call.type());
  if (conversion.saturate)
    return saturate_integer(call, value, from_unsigned, conversion.to_unsigned);
  return call.b.CreateIntCast(value, call.type(), !from_unsigned);
}

} // namespace

const Row& convert_row() {
  static constexpr Row row{"convert_", emit_convert};
  return row;
}

} // namespace forewarp::frontend::lowering
