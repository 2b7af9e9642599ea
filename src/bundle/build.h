// Kernels and micro-benchmarks -> a bundle's folder.
#pragma once

#include "bundle/source_build.h"
#include "facts/launch.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace forewarp::bundle {

/// What a launch takes on some GPU, to plan measurements with; the caller has the predictor.
struct TimesFor {
  std::string gpu;
  unsigned sm_count = 1; ///< for grids that go by it
  /// Microseconds of `launch` of the kernel that the source is built to.
  std::function<Result<double>(const SourceBuild& build, const std::string& kernel,
                               const facts::Launch& launch)>
      us = {};
};

struct BuildRequest {
  std::vector<std::string> kernels;    ///< kernel.toml files or their folders
  std::vector<std::string> benchmarks; ///< files of data/microbenchmarks
  std::vector<std::string> launches;   ///< launch files, each a kernel's launch to time
  std::string target;                  ///< "sm_90", ..., or "opencl"
  std::string output;                  ///< folder, made where it is missing

  bool check_only = false; ///< only the small launches, nothing to time
  std::string made_by;     ///< goes into the manifest
  TimesFor times;          ///< `us` empty: no times are predicted
  std::function<void(const std::string&)> progress = {};
};

struct BuildReport {
  std::size_t kernels = 0, launches = 0, checked = 0, predicted = 0;
  std::vector<std::string> left_out; ///< "name: reason": the rest is in the bundle
};

/// Writes DIR/manifest.json and DIR/kernels. A kernel that cannot be made is left out and named in the
/// report. Errors: not_found (folder cannot be written, no input), usage (unknown target).
Result<BuildReport> build(const BuildRequest& request);

} // namespace forewarp::bundle
