// Name and parameter types of a built-in from its mangled symbol.
#pragma once

#include "frontend/lowering/builtin_call.h"

#include <optional>
#include <string>

namespace forewarp::frontend::lowering {

struct BuiltinName {
  std::string base;
  llvm::SmallVector<SourceType, 4> types; ///< empty where the symbol is not mangled
};

/// "_Z5clampDv4_fff" -> clamp, {float vector[4], float, float}. A symbol that is not mangled is its own base
/// name.
BuiltinName parse_builtin_name(const std::string& symbol);

} // namespace forewarp::frontend::lowering
