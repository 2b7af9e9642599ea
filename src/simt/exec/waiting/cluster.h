// Groups of a cluster whose accesses, arrivals or waits cross: they run side by side, each until it waits for
// another.
#pragma once

#include "simt/exec/group.h"

#include <vector>

namespace forewarp::simt {

/// The groups of the cluster that `group` is in, by rank.
std::vector<facts::Dim3> cluster_of(const facts::LaunchShape& shape, const facts::Dim3& group);

/// Runs the groups of one cluster until all have ended; traces by rank. Errors: as GroupRunner::run;
/// kernel_fault where all that are left wait. When `runner.replay_failed()` the traces are of no use.
Result<std::vector<facts::GroupTrace>> run_cluster(GroupRunner& runner,
                                                   const std::vector<facts::Dim3>& groups);

} // namespace forewarp::simt
