#include "engine/predict.h"

namespace forewarp::engine {

Result<std::vector<ir::KernelSignature>> list_kernels(const PredictRequest& request) {
  frontend::CompileRequest compile = request.compile;
  if (!request.gpus.empty()) {
    const gpu::GpuFile& file = request.gpus.front().file;
    compile.family = file.vendor == "amd" ? ir::TargetFamily::amd : ir::TargetFamily::nvidia;
    compile.target = file.target;
  }
  const auto module = frontend::compile(compile);
  FOREWARP_TRY(module);
  return module->kernels;
}

} // namespace forewarp::engine
