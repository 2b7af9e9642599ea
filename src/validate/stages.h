#pragma once

#include "facts/prediction.h"

#include <optional>
#include <string>

namespace forewarp::validate {

/// The predicted value of a stage (see stage_names()); empty where the prediction has none, e.g. no such
/// accesses.
std::optional<double> predicted_stage(const facts::Prediction& prediction, const std::string& stage);

/// Times of the two plain baselines: peak arithmetic against peak DRAM bandwidth, and traffic at achieved
/// bandwidth.
double roofline_ms(const facts::Prediction& prediction);
double achieved_bandwidth_ms(const facts::Prediction& prediction);

} // namespace forewarp::validate
