// The child process: opens the device, runs tasks in order and writes a line of JSON about each.
#pragma once

#include "measure/run/supervise.h"

#include <chrono>

namespace forewarp::measure {

/// Lines written to `out`: {"device":...} or {"no_device":"..."} once; {"begin":i}; {"end":i,"entries":[...]}
/// with "failure" where it failed; {"skipped":i} where the
/// budget does not hold it. Ends early, after a line {"lost":true}, when the device can no longer be
/// used.
void run_worker(const Bundle& bundle, const MeasureOptions& options, const std::vector<Task>& tasks,
                std::size_t first, std::chrono::steady_clock::time_point deadline, int out);

} // namespace forewarp::measure
