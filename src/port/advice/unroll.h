// What is left of a loop of few iterations, known when the code is compiled: compilers unroll it whole.
#pragma once

#include "facts/machine_program.h"

#include <cstdint>
#include <vector>

namespace forewarp::port {

/// Drops loop control and address arithmetic from a block that is a loop of its own: the sites in
/// `constant_address` become a base and a constant in the access, and what only led to them or kept the loop
/// going is gone. Memory accesses, floating-point operations and what they read stay.
void unroll(facts::MachineProgram& program, std::uint32_t block, const std::vector<bool>& constant_address);

} // namespace forewarp::port
