// Matrices of a warp whose layout the program does not know: wmma.
#pragma once

#include "frontend/ptx/expansion.h"

namespace forewarp::frontend::ptx {

bool expand_warp_matrix(Expansion& e, const Statement& s);

} // namespace forewarp::frontend::ptx
