// Runs a bundle in a child process that can be killed: a kernel that hangs or ends the driver's context costs
// its own measurement and no other.
#pragma once

#include "measure/manifest/manifest.h"
#include "measure/run/plan.h"

#include <functional>
#include <string>
#include <vector>

namespace forewarp::measure {

struct MeasureOptions {
  std::string backend = "cuda";
  unsigned device = 0;
  double budget_s = 600;           ///< wall clock for everything
  double timeout_s = 30;           ///< for one task
  bool once = false;               ///< each timed launch of the corpus a single time, for a profiler
  std::string keep;                ///< folder for the output buffers of checks; "": none
  std::vector<std::string> wanted; ///< parts of kernel names; empty: all
  std::function<void(const std::string&)> progress = {};
};

/// The result file (docs/guide/measure.md). `failed`: tasks that failed or gave wrong results.
struct MeasureReport {
  nlohmann::json json;
  std::size_t done = 0, failed = 0, skipped = 0;
};

/// Errors: not_found (no driver or no device), unsupported (the bundle is not for this backend or target).
Result<MeasureReport> measure_bundle(const Bundle& bundle, const MeasureOptions& options);

} // namespace forewarp::measure
