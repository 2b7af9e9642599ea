// What a bundle asks for, in the order of its value.
#pragma once

#include "measure/manifest/manifest.h"

#include <string>
#include <vector>

namespace forewarp::measure {

enum class TaskKind { check, time, sweep, copies };

struct Task {
  TaskKind kind = TaskKind::check;
  std::size_t kernel = 0, launch = 0; ///< indices into the bundle; unused for `copies`
  unsigned stage = 0;
  std::string name; ///< "check histogram/check"
};

/// Most valuable first: results, the essential micro-benchmarks, times, the other micro-benchmarks, host
/// copies, occupancy sweeps. `wanted`: only kernels whose name holds one of these; empty: all.
std::vector<Task> plan_tasks(const Bundle& bundle, const std::vector<std::string>& wanted);

} // namespace forewarp::measure
