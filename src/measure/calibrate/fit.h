// Measured micro-benchmarks -> values of a GPU file.
#pragma once

#include "gpu/gpu_file.h"
#include "measure/calibrate/measured.h"

namespace forewarp::measure {

struct FittedValue {
  std::string key; ///< of the GPU file: "latency.fp32_fma"
  double value = 0;
  double spread = 0; ///< relative, from the repetitions
  std::string note;  ///< which points it rests on
};

struct Calibration {
  std::vector<FittedValue> values; ///< by subject
  std::vector<std::string> notes;  ///< what could not be fitted, and costs that no key takes
};

/// `base`: the GPU's file as it stands; says which unit an operation runs on, and how large the caches are.
/// Errors: bad_input (no clock and no micro-benchmark in the result).
Result<Calibration> fit(const Measured& measured, const gpu::GpuFile& base);

/// The overlay as TOML, extending `base_name`. Every value has source `microbenchmark`, date, driver, clock,
/// spread.
Result<std::string> overlay_text(const Measured& measured, const Calibration& calibration,
                                 const std::string& base_name);

// The parts of the fit, one file a subject; each adds its values.
void fit_operations(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_memory(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_fixed_costs(const Measured& measured, Calibration& calibration);

} // namespace forewarp::measure
