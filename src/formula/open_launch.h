// A launch whose sizes are expressions of the symbols.
#pragma once

#include "formula/symbols.h"
#include "symbolic/kernel/grid_runs.h"

namespace forewarp::formula {

struct OpenLaunch {
  symbolic::SymbolicLaunch launch;
  std::vector<Constraint> constraints;
  /// Bytes of all buffers, as far as the launch file says them in the symbols.
  symbolic::Expression buffer_bytes;
};

/// `shape`: of the launch with the reference values. Errors: bad_input (a symbol that occurs nowhere),
/// unsupported (one that the source or a group's size depends on, or in arithmetic that is not of whole
/// numbers).
Result<OpenLaunch> open_launch(const std::vector<Symbol>& symbols,
                               const std::optional<launch::LaunchTexts>& texts, const facts::Launch& launch,
                               const facts::LaunchShape& shape, unsigned warp_width);

} // namespace forewarp::formula
