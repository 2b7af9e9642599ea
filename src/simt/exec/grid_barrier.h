// Kernels with a barrier of the whole grid: groups run side by side, from one such barrier to the next.
#pragma once

#include "simt/exec/group.h"

#include <vector>

namespace forewarp::simt {

/// Runs `groups` until all have ended. Contents that one writes before a barrier are there for all after it;
/// what groups outside of `groups` would write is not. Errors: as GroupRunner::run; kernel_fault where a
/// group has returned while others wait (they would for ever), unless branches were settled by a policy. When
/// `runner.replay_failed()` the traces are of no use.
Result<std::vector<facts::GroupTrace>> run_together(GroupRunner& runner,
                                                    const std::vector<facts::Dim3>& groups);

} // namespace forewarp::simt
