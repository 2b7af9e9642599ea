// Measurements made by the predictor for a known GPU file, as forewarp-measure would have written them.
#pragma once

#include "bundle/benchmark_file.h"
#include "engine/session.h"
#include "measure/calibrate/fit.h"

#include <functional>
#include <string>

namespace forewarp::measure {

class Synthetic {
public:
  explicit Synthetic(const std::string& gpu);

  /// Points of data/microbenchmarks/`file`.toml whose kernel's name starts with `prefix`
  /// ("operation.fp32_fma.") and that `wanted` takes; its argument are the sweep's values.
  using Values = std::map<std::string, double>;
  void measure(const std::string& file, const std::string& prefix,
               const std::function<bool(const Values&)>& wanted = {});

  const gpu::Machine& machine() const { return machine_; }
  const gpu::GpuFile& file() const { return gpu_.file; }

  /// The fit of what was measured so far.
  Calibration calibrated() const;

private:
  void add(const bundle::BenchmarkKernel& kernel, const std::function<bool(const Values&)>& wanted);
  nlohmann::json predicted(const bundle::BenchmarkKernel& kernel, const bundle::BenchmarkPoint& point);

  gpu::GpuChoice gpu_;
  gpu::Machine machine_;
  engine::Session session_;
  nlohmann::json json_;
};

} // namespace forewarp::measure
