// Instructions through which lanes see each other. Lanes that do not take part are left alone; a value read
// from such a lane is unknown (PTX leaves it undefined).
#pragma once

#include "simt/exec/group_state.h"

namespace forewarp::simt {

inline constexpr const char* returned_before_barrier =
    "work-items have returned before this barrier; the others do not wait for them";

/// Of the running warp.
class CrossLane {
public:
  explicit CrossLane(GroupState& state) : state_(state) {}
  /// The warp waits; false: it does not go on, or the state has an error.
  bool barrier(const Instruction& instruction);
  void shuffle(const Instruction& instruction);
  void vote(const Instruction& instruction);
  void ballot(const Instruction& instruction);
  void match(const Instruction& instruction);
  void reduce(const Instruction& instruction);
  void read_lane(const Instruction& instruction);
  void read_clock(const Instruction& instruction);

private:
  GroupState& state_;
};

} // namespace forewarp::simt
