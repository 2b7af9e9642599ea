// Numbers of a matrix's elements, and the sums of products of them.
#pragma once

#include "simt/decode/markers/matrix_op.h"

#include <cstdint>

namespace forewarp::simt {

/// Integers are numbers, too.
double number_of(MatrixOp::Element element, std::uint64_t bits);
enum class Rounding : std::uint8_t { nearest, zero, up, random };
struct NumberRounding {
  Rounding how = Rounding::nearest;
  unsigned random = 0, random_bits = 0; ///< added below the last place
  bool saturates = true;                ///< beyond the range: the largest finite number, else infinity or NaN
};
/// The bits of `element` that stand for `number` (PTX ISA, "cvt"): f16, bf16, and floats of fewer bits.
/// Formats without NaN have their largest number for it.
std::uint32_t code_of(MatrixOp::Element element, double number, const NumberRounding& rounding);
/// `sum` and the products of `op.k` numbers of a row and of a column, as the bits of op.sum.
std::uint64_t sum_of(const MatrixOp& op, const double* row, const double* column, std::uint64_t sum);

} // namespace forewarp::simt
