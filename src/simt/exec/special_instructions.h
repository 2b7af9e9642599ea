// Instructions that are more than a function of a lane's registers, each handed to who knows its subject.
#pragma once

#include "simt/exec/atomics.h"
#include "simt/exec/cross_lane.h"
#include "simt/exec/division_watch.h"
#include "simt/exec/matrices/matrices.h"
#include "simt/exec/accesses/memory_access.h"
#include "simt/exec/waiting/engine_copies.h"
#include "simt/exec/waiting/meetings.h"

namespace forewarp::simt {

class SpecialInstructions {
public:
  SpecialInstructions(GroupState& state, WarpRecord& record)
      : state_(state), memory_(state, record), atomics_(state, record), lanes_(state), divisions_(state),
        meetings_(state, record), engine_(state, record, meetings_), matrices_(state) {}
  /// False: the warp does not go on (it waits, or the state has an error).
  bool execute(const Instruction& instruction);
  const DivisionWatch& divisions() const { return divisions_; }
  Meetings& meetings() { return meetings_; }

private:
  GroupState& state_;
  MemoryAccess memory_;
  Atomics atomics_;
  CrossLane lanes_;
  DivisionWatch divisions_;
  Meetings meetings_;
  EngineCopies engine_;
  Matrices matrices_;
};

} // namespace forewarp::simt
