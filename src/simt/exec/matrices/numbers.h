// Numbers of a matrix's elements, and the sums of products of them.
#pragma once

#include "simt/decode/markers/matrix_op.h"

#include <cstdint>

namespace forewarp::simt {

/// Integers are numbers, too.
double number_of(MatrixOp::Element element, std::uint64_t bits);
/// `sum` and the products of `op.k` numbers of a row and of a column, as the bits of op.sum.
std::uint64_t sum_of(const MatrixOp& op, const double* row, const double* column, std::uint64_t sum);

} // namespace forewarp::simt
