// The order of a scheduler that is short of registers: loads one by one, and after each everything that it
// makes ready.
#pragma once

#include "facts/machine_program.h"

namespace forewarp::codegen {

enum class LoadOrder {
  by_user,    ///< the deepest user of the value decides (depth: longest chain of operations before it)
  by_address, ///< ascending constant offsets
};

/// Within each stretch of at most a scheduling window without store, atomic, barrier, fence or branch: loads
/// in the given order, each followed by all operations that have become ready. Sums that share loaded values
/// then run side by side and a value dies soon after its load. Deterministic.
void order_for_pressure(facts::MachineProgram& program, LoadOrder load_order);

} // namespace forewarp::codegen
