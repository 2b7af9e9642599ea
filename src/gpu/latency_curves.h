// Latencies of operations by the number of active warps (Wang et al., DATE 2019), as a GPU file's
// `latency_by_warps.*` give them. Apart from gpu::Machine: one predictor reads them.
#pragma once

#include "facts/op_class.h"
#include "gpu/gpu_file.h"

#include <array>
#include <optional>

namespace forewarp::gpu {

class LatencyCurves {
public:
  LatencyCurves() = default;
  /// A value set's curve counts before the file's own; an unknown or empty name: the file's own.
  LatencyCurves(const GpuFile& file, const std::string& value_set);

  /// Cycles of an operation of a dependent chain while `active_warps` of the SM run one each: between the
  /// measured points linear in the warps; beyond the last the units are shared by so many more. Empty: the
  /// file has no curve of the class.
  std::optional<double> latency_cycles(facts::OpClass op, double active_warps) const;

private:
  /// By class: cycles at 1, 2, 4, 8, ... warps.
  std::array<std::vector<double>, facts::op_class_count> curves_;
};

} // namespace forewarp::gpu
