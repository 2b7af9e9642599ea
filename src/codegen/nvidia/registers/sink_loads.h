// The order with the fewest live registers that keeps arithmetic in place: each load waits for its first
// user.
#pragma once

#include "facts/machine_program.h"

namespace forewarp::codegen {

/// A load whose only effect is its result.
bool is_plain_load(const facts::MachineOp& op);
/// Nothing that reads memory may pass it.
bool ends_load_stretch(const facts::MachineOp& op);

/// Within each stretch without store, atomic, barrier, fence or branch, loads move down to just before the
/// operation that first reads them. Deterministic.
void sink_loads(facts::MachineProgram& program);

} // namespace forewarp::codegen
