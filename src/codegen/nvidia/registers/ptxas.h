// Register counts from the vendor's assembler, where one is on the PATH.
#pragma once

#include "facts/machine_program.h"
#include "support/result.h"

#include <string>

namespace forewarp::codegen {

/// True when a program called `ptxas` is on the PATH.
bool has_ptxas();

/// Runs `ptxas -v` in a child process on `ptx` and reads registers, spills, stack and static shared memory of
/// the one kernel in it. Errors: not_found (no ptxas), unsupported (it refuses the target; its words are in
/// the message).
Result<facts::ResourceUse> ptxas_resources(const std::string& ptx, const std::string& target);

} // namespace forewarp::codegen
