// Values that the trace rests on: those that reach an address, a branch, the trip count of a replayed loop, a
// division that is watched, or another work-item's such value. A sampled run computes no others.
#pragma once

#include "simt/decode/program.h"

namespace forewarp::simt {

/// Adds to the program, for each block and edge, the code and the moves without what nobody asks for; and for
/// each block what has to be done in steps that the record leaves out: what control, recorded steps behind
/// them and other warps rest on. Their accesses are not checked.
void add_asked_code(Program& program);

} // namespace forewarp::simt
