// Accesses outside of every buffer that are no error: such work-items write nothing.
//  - RunOptions::outside_reads_zero allows them (kernels that read a border by design, and guessed
//    arguments): they read zero.
//  - The lane went by an assumed branch or trip count, which may be what led it there: it reads what is
//    unknown, and the loop whose trip count is assumed ends there.
#pragma once

#include "simt/exec/warp_record.h"

namespace forewarp::simt {

/// Active lanes whose access lies in no region, and a note of it; 0 where that is an error.
std::uint64_t lanes_outside(GroupState& state, const MemoryOp& op, const std::uint64_t* addresses,
                            std::uint32_t origin);

/// The lanes get zeros, or unknown values, for what the operation gives. True.
bool give_outside(GroupState& state, const MemoryOp& op, std::uint64_t lanes);

/// `work` with the other active lanes; where there are none, an event that asks for nothing.
template <class Work>
bool without_lanes(GroupState& state, WarpRecord& record, const MemoryOp& op, std::uint64_t lanes,
                   const Work& work) {
  const std::uint64_t active = state.active;
  state.active &= ~lanes;
  if (state.active == 0)
    record.no_access(op);
  const bool done = state.active == 0 || work();
  state.active = active;
  return done;
}

} // namespace forewarp::simt
