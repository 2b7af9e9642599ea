// A RunResult as bytes: from the helper process to the one that started it. Same machine, same program: raw
// memory.
#pragma once

#include "port/helper/plan.h"
#include "support/result.h"

#include <string>

namespace forewarp::port {

std::string to_bytes(const RunResult& result);
/// Errors: internal (cut short).
Result<RunResult> from_bytes(const std::string& bytes);

} // namespace forewarp::port
