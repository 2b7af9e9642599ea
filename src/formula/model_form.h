// A published model's time as a closed form, with what bounds it.
#pragma once

#include "symbolic/program/program.h"

#include <string>
#include <vector>

namespace forewarp::formula {

using symbolic::Real;

/// Something that bounds a model's time, and the time that it asks for.
struct BoundForm {
  std::string name; ///< regime: "fp32", "memory", "issue", "latency", ...
  Real time_ms;
};

struct ModelForm {
  std::string model;
  Real time_ms;
  std::vector<BoundForm> bounds; ///< the largest names the regime
};

} // namespace forewarp::formula
