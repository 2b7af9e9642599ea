// What is done where a branch rests on unknown values (design law 3).
//  - `--branch LINE=P`: that share of the unknown lanes takes it (the whole warp or none where the condition
//  is uniform).
//  - A branch that leaves a loop: the loop runs `--trip-count LINE=N` times, else the default number of
//  times.
//  - A branch of which the code says that one way is rare (the program's own hint; in machine code the call
//  of a subroutine of the assembler's, such as the slow path of a division): the other way.
//  - Any other: the unknown lanes run both sides, one after the other; the values that meet behind them are
//  unknown.
//    A lane that returns on one side only goes on behind the branch.
#pragma once

#include "simt/exec/group_state.h"

namespace forewarp::simt {

/// Of the running warp. Returns lanes that take the branch; `both` receives lanes that take both sides.
std::uint64_t settle_branch(GroupState& state, const Terminator& t, std::uint64_t condition,
                            std::uint64_t unknown, std::uint64_t& both);

} // namespace forewarp::simt
