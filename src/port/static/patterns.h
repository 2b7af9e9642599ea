// Known shapes of scalars that a loop hands on and that are no plain reduction.
#pragma once

#include "facts/region_trace.h"

#include <llvm/Analysis/LoopInfo.h>

namespace forewarp::port {

/// `phi`: in the header of `loop`, neither counted nor gathered. arg_extremum: it or what it is compared with
/// is the least or largest value so far, and the others of its kind remember where that was. compaction: a
/// place in an array that moves on where something was put there.
facts::RegionDependence::Pattern pattern_of(const llvm::PHINode& phi, const llvm::Loop& loop);

} // namespace forewarp::port
