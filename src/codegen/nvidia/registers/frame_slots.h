// Offsets of spilled values in a thread's stack frame.
#pragma once

#include "codegen/nvidia/registers/pressure.h"

namespace forewarp::codegen {

/// A load or store of the frame that the assembler adds, not one of the source. (A copy out of private memory
/// has loads without a site, too: they stand at offset 0 and count as slot 0.)
bool is_frame_access(const facts::MachineOp& op);

/// Gives slots their offsets: slots whose contents are never needed at the same time share bytes, as in every
/// assembler since Chaitin (SIGPLAN 1982: colouring of spill slots). At first MachineOp::offset_bytes of each
/// frame access is its slot's number; `slot_bytes` holds the slots' sizes. A slot that is loaded without a
/// store before it was filled ahead of the program. Returns the frame's bytes of a thread.
std::int32_t share_slots(facts::MachineProgram& program, const Flow& flow,
                         const std::vector<std::uint16_t>& slot_bytes);

} // namespace forewarp::codegen
