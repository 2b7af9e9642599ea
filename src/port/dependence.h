// May the marked loops run in parallel? From the dependences that a run found; plain facts.
#pragma once

#include "facts/region_trace.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct Parallelism {
  unsigned dimensions = 0;             ///< parallel loops from the outermost; 0: none
  std::string obstacle;                ///< with dimensions 0: "line 14 reads what iteration i-1 wrote (...)"
  facts::SourceLocation location = {}; ///< of the obstacle
  std::string remedy;
  bool interchange = false; ///< with dimensions 0: the two outermost loops may change places, then it could
  std::vector<std::string> reductions; ///< "+ into 's' (line 12)": they need atomics or a tree
  std::vector<std::string> privates;   ///< names of arrays and scalars that each thread needs for itself
};

/// `wanted`: dimensions that the user's block asks for; 0: as many as there are, at most `candidates`.
Parallelism decide_parallelism(const facts::RegionTrace& trace, unsigned candidates, unsigned wanted);

/// One dependence in words: "line 14 reads what line 14 wrote in iteration i-1 ('a')".
std::string describe(const facts::RegionDependence& dependence, const facts::RegionTrace& trace);

} // namespace forewarp::port
