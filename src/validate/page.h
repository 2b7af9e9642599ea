// Plots of a suite's result: predicted against measured time, and both along each design space (H Fig. 3).
#pragma once

#include "validate/summary.h"

#include <string>

namespace forewarp::validate {

/// Log-log scatter of all rows, one colour a GPU.
std::string scatter_svg(const SuiteResult& result);
/// An HTML page: the scatter, then for each space of several rows its times in the order of the data.
std::string to_html(const std::vector<SuiteResult>& results);

} // namespace forewarp::validate
