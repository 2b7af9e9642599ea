// One request -> one prediction a GPU: plans which rooms run, runs them in order, keeps what can be used
// again.
#pragma once

#include "engine/request.h"
#include "facts/prediction.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <vector>

namespace forewarp::engine {

/// One prediction a GPU, in the order asked for.
Result<std::vector<facts::Prediction>> predict(const PredictRequest& request);

/// A kernel as its source declares it.
struct KernelDescription {
  struct Parameter {
    std::string name;      ///< "" where the input has no names
    std::string type_name; ///< as spelled
    std::string space;     ///< of the pointee: "global", "local", "constant" or ""
    bool is_pointer = false;
    std::optional<facts::ScalarType> scalar = {}; ///< of the value or pointee; empty: struct, void or opaque
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::optional<facts::Dim3> required_group_size;
  std::string symbol = {}; ///< as the compiler names it
};

/// The kernels of the source; compiled for the first GPU, or for sm_75 where there is none.
Result<std::vector<KernelDescription>> list_kernels(const PredictRequest& request);

} // namespace forewarp::engine
