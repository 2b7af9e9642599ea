// Names of NVIDIA's libdevice and AMD's ocml / ockl, as rules onto OpenCL's rows: foreign IR calls them.
// NOT modelled: their directed-rounding forms (_rd, _ru, _rz); a call of one is refused by its own name.
#include "frontend/lowering/libdevice.h"

#include <llvm/ADT/StringSwitch.h>

namespace forewarp::frontend::lowering {

namespace {

struct Alias {
  const char* vendor;
  const char* opencl;
  bool is_unsigned;
};

// libdevice's integer functions carry no type letter that a rule could read.
constexpr Alias integer_aliases[] = {
    {"abs", "abs", false},        {"llabs", "abs", false},      {"min", "min", false},
    {"llmin", "min", false},      {"umin", "min", true},        {"ullmin", "min", true},
    {"max", "max", false},        {"llmax", "max", false},      {"umax", "max", true},
    {"ullmax", "max", true},      {"mulhi", "mul_hi", false},   {"umulhi", "mul_hi", true},
    {"mul64hi", "mul_hi", false}, {"umul64hi", "mul_hi", true}, {"mul24", "mul24", false},
    {"umul24", "mul24", true},    {"clz", "clz", false},        {"popc", "popcount", false},
    {"hadd", "hadd", false},      {"uhadd", "hadd", true},      {"rhadd", "rhadd", false},
    {"urhadd", "rhadd", true},
};

BuiltinName typed(const char* name, bool is_unsigned) {
  BuiltinName result{name, {}};
  for (int i = 0; i < 3; ++i)
    result.types.push_back({is_unsigned ? "unsigned" : "", is_unsigned});
  return result;
}

std::string float_alias(llvm::StringRef rest) {
  if (rest.consume_front("fast_")) {
    rest.consume_back("f");
    return "native_" + llvm::StringSwitch<std::string>(rest)
                           .Case("fdivide", "divide")
                           .Case("pow", "powr")
                           .Default(rest.str());
  }
  // The f of erf and modf is no type letter.
  static constexpr llvm::StringLiteral whole[] = {"erf", "modf"};
  bool keep = std::find(std::begin(whole), std::end(whole), rest) != std::end(whole);
  if (!keep)
    rest.consume_back("f");
  return llvm::StringSwitch<std::string>(rest)
      .Case("nearbyint", "rint")
      .Case("powi", "pown")
      .Default(rest.str());
}

} // namespace

BuiltinName vendor_alias(BuiltinName name) {
  llvm::StringRef rest = name.base;
  if (rest.consume_front("__nv_")) {
    for (const Alias& alias : integer_aliases)
      if (rest == alias.vendor)
        return typed(alias.opencl, alias.is_unsigned);
    std::string opencl = float_alias(rest);
    return typed(opencl.c_str(), false);
  }
  if (rest.consume_front("__ockl_"))
    return {rest.str(), {}};
  if (rest.consume_front("__ocml_")) {
    for (const char* suffix : {"_f32", "_f64", "_f16"})
      if (rest.consume_back(suffix))
        return {rest.str(), {}};
  }
  return name;
}

} // namespace forewarp::frontend::lowering
