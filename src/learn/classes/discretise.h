// Numbers to a few levels, speed-ups to classes (Ardalani, dissertation 2016, section 4.3.2).
#pragma once

#include <string>
#include <vector>

namespace forewarp::learn {

/// Equal-frequency binning: up to `levels` - 1 ascending cut points that put about as many values into each
/// interval. Values that are equal stay together, so that a feature that is mostly 0 is cut at 0. Fewer cuts
/// where values do not allow more; none for a constant.
std::vector<double> equal_frequency_cuts(std::vector<double> values, unsigned levels);

/// Number of cuts below `value`: x <= first cut is 0, as X's intervals (0, 3], (3, 10], (10, inf).
int level_of(double value, const std::vector<double>& cuts);

/// "3 or less", "above 3 to 10", "above 10": the interval of a class.
std::string interval_text(int level, const std::vector<double>& cuts);

} // namespace forewarp::learn
