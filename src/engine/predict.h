// One request -> one prediction: plans which rooms run, runs them in order, keeps what can be used again.
#pragma once

#include "facts/prediction.h"
#include "frontend/compile.h"
#include "gpu/machine.h"
#include "memory/profile.h"
#include "simt/run.h"
#include "support/result.h"

#include <functional>
#include <string>
#include <vector>

namespace forewarp::engine {

struct PredictRequest {
  frontend::CompileRequest compile; ///< family and target are filled from the GPU
  std::string kernel;               ///< "" = the only one
  facts::Launch launch;
  std::vector<gpu::GpuChoice> gpus;
  std::string value_set;
  simt::RunOptions run;
  bool static_trace = false; ///< traces from source-level analysis alone (statictrace/build.h)
  memory::ProfileOptions::CacheState cache = memory::ProfileOptions::CacheState::cold;
  bool registers_from_ptxas = false;
  double registers_given = 0;    ///< > 0: use this many
  double sm_clock_mhz_given = 0; ///< > 0: instead of the file's
  std::string model = "hybrid";  ///< "hybrid" or "wang2019" (H's own configuration)
  std::function<void(const std::string&)> progress =
      {}; ///< told what is being done, one short line each; may be empty
};

/// One prediction a GPU, in the order asked for.
Result<std::vector<facts::Prediction>> predict(const PredictRequest& request);

/// The kernels of the source; compiled for the first GPU, or for the compile request's own target when there
/// is none.
Result<std::vector<ir::KernelSignature>> list_kernels(const PredictRequest& request);

} // namespace forewarp::engine
