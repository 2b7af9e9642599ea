// What a first answer says of its launch where that is not what anybody would start.
#pragma once

#include "engine/predict.h"

namespace forewarp::engine {

/// Marks launches that do nothing (no memory is touched, or nothing is written although the kernel would),
/// and buffers beyond the GPU's memory.
void tell_of_launch(const PredictRequest& request, std::vector<facts::Prediction>& predictions);

} // namespace forewarp::engine
