// Which loops are regions: pragmas, --region, --all-loops.
#pragma once

#include "port/source/mark.h"
#include "support/result.h"

namespace forewarp::port {

/// Errors: not_found (no loop in that line: the nearest ones are named), bad_input (nested regions, nothing
/// marked).
Result<std::vector<RegionMark>> choose_regions(const std::vector<SourceLoop>& loops,
                                               const std::vector<RegionMark>& pragmas,
                                               const std::vector<std::string>& places, bool all_loops);

/// Marks of the loops directly inside the loop of `mark`, as --all-loops makes them.
std::vector<RegionMark> inner_marks(const std::vector<SourceLoop>& loops, const RegionMark& mark);

} // namespace forewarp::port
