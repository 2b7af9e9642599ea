// The result of forewarp-measure, read again.
#pragma once

#include "measure/manifest/manifest.h"
#include "support/result.h"

#include <map>
#include <string>
#include <vector>

namespace forewarp::measure {

/// One timed launch. Micro-benchmarks carry what they measure; see data/microbenchmarks.
struct MeasuredTime {
  std::string kernel, launch, what; ///< what: "time" or "sweep"
  std::string l2;                   ///< "warm" or "cold"
  double median_us = 0, minimum_us = 0, spread = 0, batched_us = 0;
  double sm_mhz = 0;                     ///< at the time of the measurement; 0: unknown
  std::uint64_t unused_shared_bytes = 0; ///< of a sweep
  unsigned concurrent_groups = 0, full_concurrent_groups = 0;
  // of micro-benchmarks
  std::string benchmark, mode, type, operation, level, access;
  std::map<std::string, double> values; ///< of the sweep
  std::map<std::string, double> minus;  ///< operations of a step that are not the measured one
  double work = 0, operations = 1;
  double warps_per_group = 1;
};

struct Measured {
  std::string path, date, device_name, driver, target, backend;
  std::map<std::string, double> attributes;
  double sm_mhz = 0;     ///< median over the measurements
  double memory_mhz = 0; ///< likewise
  std::vector<MeasuredTime> times;
  std::vector<BundleKernel> kernels; ///< sources and launches
  nlohmann::json copies = nlohmann::json::array();
};

/// Errors: not_found, bad_input with the place.
Result<Measured> read_measured(const std::string& path);
Result<Measured> measured_from_json(const nlohmann::json& json, const std::string& where);

} // namespace forewarp::measure
