// What a bundle asks for, in the order of its value.
#pragma once

#include "measure/manifest/manifest.h"

#include <string>
#include <vector>

namespace forewarp::measure {

enum class TaskKind { check, time, sweep, copies, once };

struct Task {
  TaskKind kind = TaskKind::check;
  std::size_t kernel = 0, launch = 0; ///< indices into the bundle; unused for `copies`
  unsigned stage = 0;
  std::string name; ///< "check histogram/check"
};

/// Most valuable first: results, the essential micro-benchmarks, times, the other micro-benchmarks, host
/// copies, occupancy sweeps; among these the kernels that take least, so that a budget holds most of them.
/// `wanted`: only kernels whose name holds one of these; empty: all.
std::vector<Task> plan_tasks(const Bundle& bundle, const std::vector<std::string>& wanted);

/// Every timed launch of the corpus a single time, in the bundle's order: what a profiler looks at.
std::vector<Task> plan_once(const Bundle& bundle, const std::vector<std::string>& wanted);

/// Longest and usual seconds of a task: contents over the bus, loading, clock readings, and the repetitions
/// of its rule at their limit, or as few as it makes of a kernel of its predicted time, else of half a
/// millisecond. A sweep's kernels take twice that.
struct TaskSeconds {
  double usual = 0, longest = 0;
};
TaskSeconds seconds_of(const Bundle& bundle, const Task& task);

} // namespace forewarp::measure
