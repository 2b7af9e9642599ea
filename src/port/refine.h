// Which loops to look at next, after a survey: loops that cannot be parallel give way to those inside them.
#pragma once

#include "port/prepare.h"
#include "port/trace_program.h"

#include <optional>

namespace forewarp::port {

struct Refinement {
  std::vector<RegionMark> marks;
  /// Indices of regions that have no answer and are no longer recorded, so that the loops inside them and the
  /// regions in the functions that they call are.
  std::vector<std::size_t> retired;
  bool changed = false;
};

/// `regions`: those of `recorded`, in its order, as a survey found them.
Refinement refine(const std::vector<RegionMark>& marks, const RecordedProgram& recorded,
                  const std::vector<TracedRegion>& regions, const std::vector<SourceLoop>& loops);

/// The region inside which the function of region `index`, never run by itself, was called.
std::optional<std::size_t> hidden_by(std::size_t index, const RecordedProgram& recorded,
                                     const std::vector<TracedRegion>& regions);

} // namespace forewarp::port
