// A file of data/microbenchmarks: one kernel, its variants, types and modes, and the points to launch it at
// (docs/guide/measure.md has the format).
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace forewarp::bundle {

struct BenchmarkPoint {
  std::string name;
  facts::Launch launch; ///< `groups` holds the grid
  bool groups_per_sm = false;
  unsigned stage = 3;
  nlohmann::json micro; ///< benchmark, variant, mode, values of the sweep
};

/// One build of the kernel: a variant of a type in a mode.
struct BenchmarkKernel {
  std::string name;   ///< "operation.fp32_fma.latency", "integer.add.int16.occupancy"
  std::string source; ///< path
  std::string kernel;
  std::vector<std::string> defines;
  bool only_ptx = false; ///< uses what only the PTX path can express
  int least_target = 0;  ///< compute capability times ten that it needs (70: tensor cores)
  std::vector<BenchmarkPoint> points;
};

/// Errors: not_found, bad_input with file and key.
Result<std::vector<BenchmarkKernel>> read_benchmark(const std::string& path);

} // namespace forewarp::bundle
