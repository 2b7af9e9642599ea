// What a lane holds of matrices, by exchanges between lanes: exact, and slow to run.
#pragma once

#include "lift/lifter.h"

namespace forewarp::lift {

/// The word of matrix `matrix` (8 by 8 halves) that ldmatrix gives this lane, where `row` is what the lane
/// itself read: lane 8 m + r has row r of matrix m. Transposed: column and row change places.
Value* matrix_word(Lifter& l, const std::vector<Value*>& row, unsigned matrix, bool transposed);

/// The sums of the product at hand into its results: "m16n8k16" with "f32.f32", "f16.f16", "bf16", "tf32" or
/// integers of 8 bits; others are refused. Sums of floats are made in the order of k: hardware's own order is
/// not published.
void put_product(Lifter& l, const std::string& shape, const std::string& types, bool saturates);

} // namespace forewarp::lift
