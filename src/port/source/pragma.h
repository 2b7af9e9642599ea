// `#pragma forewarp parallel [name(n)] [block(x[,y[,z]])] [shared(A,B)] [tile(n)] [trips(n)] [taken(p)]` and,
// before a loop inside, `#pragma forewarp trips(n)`; read by Clang's preprocessor.
#pragma once

#include "port/source/mark.h"

#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>

#include <vector>

namespace forewarp::port {

/// A pragma before it is known which loop follows it.
struct FoundPragma {
  clang::SourceLocation location;
  RegionMark mark;
  bool parallel = true; ///< false: only says how often the loop runs
};

/// Adds the handler; `found` must outlive the preprocessor. Wrong clauses are errors of the compilation.
void add_pragma_handler(clang::Preprocessor& preprocessor, std::vector<FoundPragma>& found);

} // namespace forewarp::port
