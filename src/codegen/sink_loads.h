// The order with the fewest live registers that keeps arithmetic in place: each load waits for its first
// user.
#pragma once

#include "facts/machine_program.h"

namespace forewarp::codegen {

/// Within each stretch without store, atomic, barrier, fence or branch, loads move down to just before the
/// operation that first reads them. Deterministic.
void sink_loads(facts::MachineProgram& program);

} // namespace forewarp::codegen
