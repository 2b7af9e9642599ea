// The order of a scheduler that is short of registers: loads one by one, and after each everything that it
// makes ready.
#pragma once

#include "facts/machine_program.h"

namespace forewarp::codegen {

/// Within each stretch without store, atomic, barrier, fence or branch: loads in the order of the deepest
/// user of their value (depth: longest chain of operations before it), each followed by all operations that
/// have become ready. Sums that share loaded values then run side by side and a value dies soon after its
/// load. Deterministic.
void order_for_pressure(facts::MachineProgram& program);

} // namespace forewarp::codegen
