// Source -> machine code by the vendor's own tools (room toolkit) -> the lifted module (`--code sass`).
#pragma once

#include "frontend/compile.h"

#include <string>

namespace forewarp::engine {

/// CUDA by nvcc, other sources by our PTX and ptxas; for the request's target. Machine code itself is lifted
/// as it is, or what assembled_of_file makes. `kernel` as select_kernel understands it. Errors: as
/// frontend::compile; not_found (a tool is missing), compile (what the tool says).
Result<ir::KernelModule> compile_by_vendor(const frontend::CompileRequest& request,
                                           const std::string& kernel);

} // namespace forewarp::engine
