// The dynamic part of a run put into the static facts of its region.
#pragma once

#include "port/trace_program.h"

namespace forewarp::port {

/// Totals, objects and dependences of the survey run.
void merge_survey(facts::RegionTrace& trace, facts::RegionTrace survey);

/// Events of the detail run.
void merge_detail(facts::RegionTrace& trace, facts::RegionTrace detail);

/// Settles block, dimensions and extents from the parallel loops. `given`: x first, empty: default (C: 256,
/// 32x32).
void settle_shape(facts::RegionTrace& trace, const Parallelism& parallelism, const RegionMark& mark,
                  const std::vector<std::uint64_t>& given);

} // namespace forewarp::port
