// Divisions at full accuracy, looked at while they run: which of them leave the short way of the machine
// code.
#pragma once

#include "facts/slow_division.h"
#include "simt/exec/group_state.h"

#include <vector>

namespace forewarp::simt {

class DivisionWatch {
public:
  explicit DivisionWatch(GroupState& state) : state_(state) {}
  void watch(const Instruction& instruction);
  facts::SlowDivisions slow() const;

private:
  GroupState& state_;
  struct Runs {
    std::uint64_t all = 0, slow = 0;
  };
  std::vector<Runs> runs_; ///< as Program::divisions
};

} // namespace forewarp::simt
