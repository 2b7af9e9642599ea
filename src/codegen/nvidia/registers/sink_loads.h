// The order with the fewest live registers that keeps arithmetic in place: each load waits for its first
// user.
#pragma once

#include "facts/machine_program.h"

#include <cstddef>

namespace forewarp::codegen {

/// A load whose only effect is its result.
bool is_plain_load(const facts::MachineOp& op);
/// Nothing that reads memory may pass it.
bool ends_load_stretch(const facts::MachineOp& op);

/// The assembler orders so many operations of straight-line code together, then the next so many (listings of
/// ptxas 9.1 to 12.9 for sm_35 to sm_86: fully unrolled convolutions of 4,100 operations keep what they load
/// for a few operations, those of 4,280 hold hundreds of values where the window ends).
inline constexpr std::size_t scheduling_window = 4096;

/// Within each stretch of at most a window without store, atomic, barrier, fence or branch, loads move down
/// to just before the operation that first reads them. Deterministic.
void sink_loads(facts::MachineProgram& program);

} // namespace forewarp::codegen
