// Errors of the kernel itself, worded for the person who wrote it.
#pragma once

#include "simt/exec/group_state.h"

namespace forewarp::simt {

/// "work-item (x, y, z)" of a lane of the running warp.
std::string work_item(const GroupState& state, unsigned lane);

/// An access by `lane` of `width_bytes` bytes that lies in no region. Sets the state's error; false.
bool fault_access(GroupState& state, const MemoryOp& op, std::uint32_t origin, std::uint64_t address,
                  unsigned lane, std::uint32_t width_bytes);

} // namespace forewarp::simt
