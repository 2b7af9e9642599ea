// Predicated bodies one after the other are one straight line to the assembler: it computes all their
// predicates first and has all their loads under way before it uses any.
#pragma once

#include "codegen/nvidia/registers/pressure.h"

namespace forewarp::codegen {

/// Moves operations between the blocks of such a line. What waits for none of its loads goes to the front,
/// what only waits for them behind the last body; loads, stores and what they need stay in their blocks,
/// where the trace has their accesses. A value that a body changes is one register from then on: its phi is
/// gone. `predicated`: blocks that run under a predicate. `registers`: 32-bit registers that may be full;
/// where the loads of a row of bodies would take more, it is several lines.
void straighten_predicated_bodies(facts::MachineProgram& program, const Flow& flow,
                                  const llvm::BitVector& predicated, const Liveness& live,
                                  const std::vector<std::uint8_t>& sizes, unsigned registers);

} // namespace forewarp::codegen
