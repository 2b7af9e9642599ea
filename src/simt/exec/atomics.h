// Atomics, one lane after the other in lane order.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/warp_record.h"

namespace forewarp::simt {

/// Of the running warp; false: the state has an error.
class Atomics {
public:
  Atomics(GroupState& state, WarpRecord& record) : state_(state), record_(record) {}
  bool atomic(const Instruction& instruction);
  bool compare_exchange(const Instruction& instruction);

private:
  GroupState& state_;
  WarpRecord& record_;
};

} // namespace forewarp::simt
