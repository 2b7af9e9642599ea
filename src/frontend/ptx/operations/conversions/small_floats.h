// Conversions from and to floats of 8, 6 and 4 bits and scales of powers of two, and those that round by
// random bits.
#pragma once

#include "frontend/ptx/expansion.h"

namespace forewarp::frontend::ptx {

bool is_of_small_floats(const Statement& s, const std::vector<TypeWord>& types);
/// cvt with `types`, of which is_of_small_floats holds. False: a form that is not modelled, or wrong.
bool between_small_floats(Expansion& e, const Statement& s, const std::vector<TypeWord>& types);

} // namespace forewarp::frontend::ptx
