// Predictions one after the other with what they share kept: compiled modules now, more where it pays.
#pragma once

#include "engine/compile_cache.h"
#include "engine/plan.h"
#include "engine/predict.h"

namespace forewarp::engine {

/// One thread's use only. Results do not depend on what was predicted before.
class Session {
public:
  Result<std::vector<facts::Prediction>> predict(const PredictRequest& request);
  const CompileCache& compiled() const { return cache_; }

private:
  CompileCache cache_;
};

} // namespace forewarp::engine
