// Spilled registers: where the stores to and loads from the stack frame hit.
//
// A wave's frame is lane-interleaved; all resident waves use theirs at the same time. The slots that a wave
// touches between two uses of one slot, times the waves that share a cache, is the reuse distance; a cache
// that holds as much serves the load (LRU). L1 is written through; AMD's takes no stores. L2
// and a memory-side cache keep frames that fit. Not modelled: other data in the caches, frames of private
// arrays (they are memory sites of their own).
#pragma once

#include "facts/machine_program.h"
#include "facts/memory_profile.h"
#include "facts/occupancy.h"
#include "facts/trace.h"
#include "gpu/machine.h"

#include <vector>

namespace forewarp::memory {

/// Who shares the caches with a wave's frame.
struct FrameSharing {
  double warps_per_sm = 1;
  double lanes_per_warp = 32; ///< that a group fills; the others move nothing
  double l1_bytes = 0;        ///< of an SM, beside shared memory
};
FrameSharing frame_sharing(const facts::MachineProgram& program, const facts::KernelTrace& trace,
                           const facts::Occupancy& occupancy, const gpu::Machine& machine);

/// By block and operation; operations that are no spill have the default outcome.
std::vector<std::vector<facts::AccessOutcome>> spill_outcomes(const facts::MachineProgram& program,
                                                              const gpu::Machine& machine,
                                                              const FrameSharing& sharing,
                                                              unsigned bytes_of_sector);

bool is_spill(const facts::MachineOp& op);

/// Adds the spills' bytes of the whole grid to what L2 and DRAM move.
void add_spill_traffic(const facts::MachineProgram& program, const facts::KernelTrace& trace,
                       const gpu::Machine& machine, const facts::Occupancy& occupancy,
                       facts::MemoryProfile& profile);

} // namespace forewarp::memory
