// What to change in a region, each change predicted: the traced warps are changed as the code would be, and
// the changed version goes through the same model.
#pragma once

#include "facts/source_location.h"
#include "port/estimate/kernel_time.h"
#include "port/scale/region_size.h"

#include <string>
#include <vector>

namespace forewarp::port {

struct Advice {
  std::string kind;  ///< "tile", "transpose", "interchange", "block_shape", "constant_memory"
  std::string text;  ///< one sentence
  std::string array; ///< that it is about; may be empty
  facts::SourceLocation location = {}; ///< line 0: none
  double time_ms = 0;                  ///< of the changed version, all launches
  double gain_ms = 0;                  ///< against the version as it stands
  double before_ms = 0;                ///< of time_ms: kernels that run once before it (a transposition)
  KernelTime changed = {};
};

struct AdviceRequest {
  const facts::RegionTrace* trace = nullptr;
  const RegionSize* size = nullptr;
  const PortTarget* target = nullptr;
  std::string model;
  VersionOptions options;
  double base_ms = 0; ///< of the version that it is compared with
};

/// Every change that gains at least 1 %, largest gain first. The default predictor goes over at most
/// 1,000,000 recorded steps a change: of a longer record it compares about 60,000 (advice/thin.h), as it
/// stands and changed, and applies the ratio.
std::vector<Advice> advise(const AdviceRequest& request, const Version& base);

} // namespace forewarp::port
