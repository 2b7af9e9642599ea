// Kernels and micro-benchmarks -> a bundle's folder.
#pragma once

#include "support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace forewarp::bundle {

struct BuildRequest {
  std::vector<std::string> kernels;    ///< kernel.toml files or their folders
  std::vector<std::string> benchmarks; ///< files of data/microbenchmarks
  std::string target;                  ///< "sm_90", ..., or "opencl"
  std::string output;                  ///< folder, made where it is missing

  bool check_only = false; ///< only the small launches, nothing to time
  std::string made_by;     ///< goes into the manifest
  std::function<void(const std::string&)> progress = {};
};

struct BuildReport {
  std::size_t kernels = 0, launches = 0, checked = 0;
  std::vector<std::string> left_out; ///< "name: reason": the rest is in the bundle
};

/// Writes DIR/manifest.json and DIR/kernels. A kernel that cannot be made is left out and named in the
/// report. Errors: not_found (folder cannot be written, no input), usage (unknown target).
Result<BuildReport> build(const BuildRequest& request);

} // namespace forewarp::bundle
