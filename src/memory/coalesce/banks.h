// Shared-memory passes of one warp-level access.
//
// A phase holds as many lanes as the banks can serve words for (64-bit: half, 128-bit: a quarter of a warp on
// 32 x 4 B banks; Volta and Turing white papers, CUDA C Programming Guide "Shared Memory"), or fewer where
// such words are not aligned and the GPU file says so. In a phase, lanes that read the same bank word share
// it; each further distinct word in one bank is one more pass. Compute capability 1.x (recognised by its
// half-warp segments) broadcasts one word a pass only. Atomics: lanes of one bank go one after the other.
#pragma once

#include "gpu/machine.h"
#include "memory/coalesce/lanes.h"

namespace forewarp::memory {

struct BankPasses {
  unsigned passes = 0; ///< bank passes, replays included
  unsigned phases = 0; ///< the least possible for the active lanes and width
  bool one_address = false;
};

BankPasses bank_passes(const Lanes& lanes, const gpu::MemoryTiming& memory, bool atomic);
/// Passes of a load over the data banks of an L1 that lies in the array of shared memory.
unsigned l1_bank_passes(const Lanes& lanes, const gpu::MemoryTiming& memory);

} // namespace forewarp::memory
