#include "frontend/languages.h"

namespace forewarp::frontend {

Result<ir::KernelModule> compile_cuda(const CompileRequest& request) {
  return fail(ErrorCode::unsupported, "CUDA input is not built yet", request.path);
}

} // namespace forewarp::frontend
