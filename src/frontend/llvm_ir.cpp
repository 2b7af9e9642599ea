#include "frontend/languages.h"

namespace forewarp::frontend {

Result<ir::KernelModule> compile_llvm_ir(const CompileRequest& request) {
  return fail(ErrorCode::unsupported, "LLVM IR input is not built yet", request.path);
}

} // namespace forewarp::frontend
