// How often the warps of a grid run each block, as closed forms: nothing is run.
#pragma once

#include "symbolic/conditions/lanes.h"
#include "symbolic/kernel/kernel_values.h"

#include <array>

namespace forewarp::symbolic {

/// A launch whose sizes are expressions of the user's symbols.
struct SymbolicLaunch {
  std::array<std::int64_t, 3> group_size = {1, 1, 1}; ///< numbers: the hardware bounds them (W's T)
  std::array<Expression, 3> groups = {1, 1, 1};
  std::map<std::string, Expression> arguments; ///< scalars, by parameter
  Ranges ranges;                               ///< of the user's symbols
  unsigned warp_width = 32;
  unsigned warps_per_group() const;
};

/// Something that the answer rests on.
struct Assumption {
  std::string text;
  facts::SourceLocation location;
};

struct GridRuns {
  std::vector<Expression> blocks; ///< warps that run the block, times runs, whole grid
  /// (from, to) inside one iteration of one loop, and into loops; (UINT32_MAX, 0): the entry.
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expression> edges;
  Expression warps; ///< of the grid
  /// Conditions that were taken to be true for all work-items: a lower bound of performance (W section 3.1).
  std::vector<Assumption> taken_as_true;
};

/// Errors: unsupported, for a loop whose bound nothing gives, with its line and `--trip-count LINE=EXPR`.
Result<GridRuns> grid_runs(const KernelValues& kernel, const SymbolicLaunch& launch);

/// The launch's numbers in place of arguments and sizes.
std::map<std::string, Expression> launch_values(const SymbolicLaunch& launch);
/// Of the user's symbols, items and groups.
Ranges launch_ranges(const SymbolicLaunch& launch);

} // namespace forewarp::symbolic
