#include "engine/compile_cache.h"
#include "engine/predict.h"
#include "engine/translate.h"

namespace forewarp::engine {
namespace {

const char* space_word(ir::AddressSpace space) {
  switch (space) {
  case ir::AddressSpace::global:
    return "global";
  case ir::AddressSpace::shared:
    return "local";
  case ir::AddressSpace::constant:
    return "constant";
  default:
    return "";
  }
}

KernelDescription described(const ir::KernelSignature& kernel) {
  KernelDescription description{kernel.name, {}, kernel.required_group_size, kernel.symbol};
  for (const ir::Parameter& parameter : kernel.parameters)
    description.parameters.push_back({parameter.name, parameter.type_name, space_word(parameter.space),
                                      parameter.is_pointer, parameter.scalar});
  return description;
}

} // namespace

Result<std::vector<KernelDescription>> list_kernels(const PredictRequest& request) {
  frontend::CompileRequest compile = compile_request(request.compile);
  if (!request.gpus.empty()) {
    auto machine = gpu::resolve(request.gpus.front().file, request.value_set);
    FOREWARP_TRY(machine);
    compile = compile_request(request, *machine);
  }
  compile.signatures_only = true;
  const auto module = frontend::compile(compile);
  FOREWARP_TRY(module);
  std::vector<KernelDescription> kernels;
  for (const ir::KernelSignature& kernel : module->kernels)
    kernels.push_back(described(kernel));
  return kernels;
}

} // namespace forewarp::engine
