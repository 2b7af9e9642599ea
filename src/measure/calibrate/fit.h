// Measured micro-benchmarks -> values of a GPU file.
#pragma once

#include "gpu/gpu_file.h"
#include "measure/calibrate/measured.h"

namespace forewarp::measure {

struct FittedValue {
  std::string key; ///< of the GPU file: "latency.fp32_fma"
  double value = 0;
  double spread = 0;             ///< relative, from the repetitions
  std::string note;              ///< which points it rests on
  std::vector<double> list = {}; ///< of a key that is a list; `value` is the first then
};

/// Measured, but no key of the model's: it goes into the value set `measured` of the overlay, where models
/// may read it by name (Lemeire et al.: lambda_*, Lambda_*, issue_limit; Wang et al.: departure_delay_*).
struct StatedFact {
  std::string name, unit;
  std::vector<double> values; ///< one, or one for each point of `note`
  std::string note;
};

struct Calibration {
  std::vector<FittedValue> values; ///< by subject
  std::vector<StatedFact> facts;
  std::vector<std::string> notes; ///< what could not be fitted
};

/// `base`: the GPU's file as it stands; says which unit an operation runs on, and how large the caches are.
/// Errors: bad_input (no clock and no micro-benchmark in the result).
Result<Calibration> fit(const Measured& measured, const gpu::GpuFile& base);

/// The overlay as TOML, extending `base_name`. Every value has source `microbenchmark`, date, driver, clock,
/// spread.
Result<std::string> overlay_text(const Measured& measured, const Calibration& calibration,
                                 const std::string& base_name);

/// Latency (SM cycles) of operations in a row, each so many times: as fitted, else as the GPU's file has it.
double latency_of(std::map<std::string, double> operations, const Calibration& calibration,
                  const gpu::GpuFile& base);

// The parts of the fit, one file a subject; each adds its values.
void fit_operations(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_types(const Measured& measured, Calibration& calibration);
void fit_memory(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_geometry(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_shared(const Measured& measured, Calibration& calibration);
void fit_atomics(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_control(const Measured& measured, const gpu::GpuFile& base, Calibration& calibration);
void fit_fixed_costs(const Measured& measured, Calibration& calibration);

} // namespace forewarp::measure
