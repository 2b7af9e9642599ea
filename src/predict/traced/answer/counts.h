// Instruction counts of the traced warps, as the answer shows them.
#pragma once

#include "predict/traced/hybrid.h"

#include <array>
#include <vector>

namespace forewarp::predict::hybrid {

struct InstructionCounts {
  double warps = 0;                     ///< of the grid
  double per_warp = 0, ir_per_warp = 0; ///< means over the grid
  std::array<double, facts::op_class_count> ops_per_warp = {};
  std::vector<double> unit_mean, unit_shortest, unit_longest; ///< per Machine::units
  double flops = 0;                  ///< whole grid, active lanes, a multiply-add counts two
  double tensor_flops = 0;           ///< the same of matrix products, which all lanes of a warp make
  double tensor_peak_operations = 0; ///< operations that these are at the GPU's peak
};

InstructionCounts count(const Facts& facts);

} // namespace forewarp::predict::hybrid
