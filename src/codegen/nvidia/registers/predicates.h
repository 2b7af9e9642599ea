// Predicate registers: seven a thread (P0 to P6), and no more are live at once.
#pragma once

#include "facts/machine_program.h"

#include <cstdint>
#include <vector>

namespace forewarp::codegen {

/// For each operation of a stretch that makes a predicate for this stretch alone: how many such predicates
/// there is room for beside those that are live around it in the program's order; at least one, since the
/// assembler moves others to registers. 0: it makes none. `uses_left` counts what is left of every value's
/// uses, `held` are the predicates that live on from before. The assembler decides this before it moves
/// loads: a predicate that the program reads last far below keeps its register until there (listings of
/// ptxas 13.0 for sm_89: 2, 4, 5 and 6 or more masks of a loop's loads leave 5, 3, 2 and 1).
std::vector<std::uint8_t> room_for_predicates(const std::vector<facts::MachineOp>& ops, std::size_t first,
                                              std::size_t last, const std::vector<int>& uses_left,
                                              const std::vector<std::uint8_t>& sizes,
                                              const std::vector<std::uint32_t>& held);

} // namespace forewarp::codegen
