#include "engine/compile_cache.h"
#include "engine/predict.h"

namespace forewarp::engine {

Result<std::vector<ir::KernelSignature>> list_kernels(const PredictRequest& request) {
  frontend::CompileRequest compile = request.compile;
  if (!request.gpus.empty()) {
    auto machine = gpu::resolve(request.gpus.front().file, request.value_set);
    FOREWARP_TRY(machine);
    compile = compile_request(request, *machine);
  }
  compile.signatures_only = true;
  const auto module = frontend::compile(compile);
  FOREWARP_TRY(module);
  return module->kernels;
}

} // namespace forewarp::engine
