// Unit costs: differences of times over differences of work. What does not grow with the work (launch, first
// fill of a cache) falls out.
#pragma once

#include "gpu/gpu_file.h"
#include "measure/calibrate/measured.h"

#include <functional>

namespace forewarp::measure {

/// Points that differ in nothing but their work.
struct UnitCost {
  MeasuredTime point;         ///< the one with most work
  double us_per_work = 0;     ///< microseconds
  double cycles_per_work = 0; ///< SM cycles; 0 where the clock is unknown
  double spread = 0;          ///< of the difference, from both series' quartiles
};

/// A value of the sweep; 0 where the point has none of that name.
double sweep_value(const MeasuredTime& time, const std::string& name);

/// The number of that key, where the file has one.
double number_of(const gpu::GpuFile& base, const std::string& key, double fallback);
/// The text of that key; "" where the file has none.
std::string text_of(const gpu::GpuFile& base, const std::string& key);

/// One for each series of points that `wanted` takes; series of one amount of work give time / work. Points
/// whose time does not grow with the work are left out.
std::vector<UnitCost> unit_costs(const Measured& measured,
                                 const std::function<bool(const MeasuredTime&)>& wanted);

} // namespace forewarp::measure
