// Which loops are regions: pragmas, --region, --all-loops.
#pragma once

#include "port/source/mark.h"
#include "support/result.h"

namespace forewarp::port {

/// May a region lie inside another one? Where times are taken, yes; where accesses are recorded, no.
enum class Nesting : std::uint8_t { refused, allowed };

/// Errors: not_found (no loop in that line: the nearest ones are named), bad_input (nested regions, nothing
/// marked).
Result<std::vector<RegionMark>> choose_regions(const std::vector<SourceLoop>& loops,
                                               const std::vector<RegionMark>& pragmas,
                                               const std::vector<std::string>& places, bool all_loops,
                                               Nesting nesting = Nesting::refused);

RegionMark mark_of(const SourceLoop& loop);

/// Marks of the loops directly inside the loop of `mark`, for which they stand in.
std::vector<RegionMark> inner_marks(const std::vector<SourceLoop>& loops, const RegionMark& mark);

} // namespace forewarp::port
