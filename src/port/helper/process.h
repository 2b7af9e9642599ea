// A run of the user's program in a process of its own: crash, endless loop and hunger for memory stay there.
#pragma once

#include "port/helper/runtime.h"
#include "support/result.h"

#include <functional>

namespace forewarp::port {

/// Forks; `inside` runs in the child with the request completed (status, result file) and ends through
/// finish_runtime. Its output goes nowhere, it reads nothing. A child that outlives its time budget is ended.
/// Errors: internal (no process).
Result<RunResult> run_in_process(RuntimeRequest request, const std::function<void(RuntimeRequest)>& inside);

} // namespace forewarp::port
