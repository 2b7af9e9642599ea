// The loops of a translation unit, and which loop follows each pragma.
#pragma once

#include "port/source/pragma.h"
#include "support/result.h"

#include <clang/AST/ASTContext.h>

#include <vector>

namespace forewarp::port {

struct UnitLoops {
  std::vector<SourceLoop> loops;
  std::vector<RegionMark> marks;
  std::vector<Error> errors; ///< pragmas that no loop follows
};

/// After the whole unit is parsed.
UnitLoops collect_loops(clang::ASTContext& context, const std::vector<FoundPragma>& pragmas);

} // namespace forewarp::port
