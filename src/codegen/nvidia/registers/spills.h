// Values that find no register go to the stack frame.
#pragma once

#include "codegen/nvidia/registers/pressure.h"

namespace forewarp::codegen {

/// Puts stores to and loads from the frame into every block that holds more than `registers` live: the value
/// whose next use is furthest goes first (Belady), is stored once and loaded before its next use. A loop of
/// one block keeps the same values in registers at its start and its end. Slots stand in
/// MachineOp::offset_bytes; values that a phi joins share one, and so do values that are never there at the
/// same time (frame_slots.h). Returns the frame's bytes of a thread.
/// Not modelled: values that change place between blocks, loads of spilled values ahead of their use, copies
/// and recomputation (the vendor's assembler stores more than this does).
double place_spills(facts::MachineProgram& program, const Flow& flow, const Liveness& live,
                    const std::vector<std::uint8_t>& sizes, unsigned registers);

} // namespace forewarp::codegen
