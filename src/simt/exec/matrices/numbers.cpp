#include "simt/exec/matrices/numbers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace forewarp::simt {
namespace {

#include "simt/lanes/lane_formats.inc"

using Element = MatrixOp::Element;

/// Eight bits of `fraction_bits` and a bias, without a negative zero, whose code is the only NaN.
double without_negative_zero(std::uint32_t code, int fraction_bits, int bias) {
  if (code == 0x80)
    return std::numeric_limits<double>::quiet_NaN();
  const int exponent = static_cast<int>(code & 0x7FU) >> fraction_bits;
  const int fraction = static_cast<int>(code & ((1U << fraction_bits) - 1));
  const int whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  const double size = std::ldexp(whole, std::max(exponent, 1) - bias - fraction_bits);
  return (code & 0x80U) != 0 ? -size : size;
}

/// A float of a few bits that knows neither infinities nor NaN.
double small_float(std::uint32_t code, unsigned exponent_bits, unsigned fraction_bits, int bias) {
  const auto exponent = static_cast<int>(code >> fraction_bits & ((1U << exponent_bits) - 1));
  const auto fraction = static_cast<int>(code & ((1U << fraction_bits) - 1));
  const int whole = exponent == 0 ? fraction : fraction + (1 << fraction_bits);
  const double size = std::ldexp(whole, std::max(exponent, 1) - bias - static_cast<int>(fraction_bits));
  return (code >> (exponent_bits + fraction_bits) & 1U) != 0 ? -size : size;
}

double power_of_two(std::uint32_t code) {
  constexpr int bias = 127;
  return code == 0xFF ? std::numeric_limits<double>::quiet_NaN()
                      : std::ldexp(1.0, static_cast<int>(code) - bias);
}

/// A float's fields, and the codes at the end of its range.
struct FloatFormat {
  unsigned bits, fraction_bits;
  int bias;
  std::uint32_t largest, infinity, nan;
};

FloatFormat format_of(Element element) {
  switch (element) {
  case Element::bf16:
    return {16, 7, 127, 0x7F7F, 0x7F80, 0x7FFF};
  case Element::e4m3:
    return {8, 3, 7, 0x7E, 0x7F, 0x7F};
  case Element::e5m2:
    return {8, 2, 15, 0x7B, 0x7C, 0x7F};
  case Element::e3m2:
    return {6, 2, 3, 0x1F, 0x1F, 0x1F};
  case Element::e2m3:
    return {6, 3, 1, 0x1F, 0x1F, 0x1F};
  case Element::e2m1:
  case Element::fp4:
    return {4, 1, 1, 0x7, 0x7, 0x7};
  default:
    return {16, 10, 15, 0x7BFF, 0x7C00, 0x7FFF};
  }
}

/// In units of the last place.
double rounded_units(double units, const NumberRounding& rounding, bool negative) {
  switch (rounding.how) {
  case Rounding::nearest:
    return std::nearbyint(units);
  case Rounding::up:
    return negative ? std::floor(units) : std::ceil(units);
  case Rounding::random:
    return std::floor(units + std::ldexp(rounding.random, -static_cast<int>(rounding.random_bits)));
  default:
    return std::floor(units);
  }
}

/// Powers of two by their exponent; there is no sign, and no zero below the least one.
std::uint32_t exponent_code(double number, const NumberRounding& rounding) {
  constexpr int bias = 127, highest = 254, nan = 255;
  if (std::isnan(number))
    return nan;
  const double size = std::fabs(number);
  if (size == 0 || size <= std::ldexp(1.0, -bias))
    return 0;
  int exponent = std::isinf(size) ? highest + 1 : std::ilogb(size) + bias;
  if (rounding.how == Rounding::up && !std::isinf(size) && std::ldexp(1.0, exponent - bias) < size)
    ++exponent;
  return static_cast<std::uint32_t>(std::clamp(exponent, 0, rounding.saturates ? highest : nan));
}

double sum_of_floats(const MatrixOp& op, const double* x, const double* y, double sum) {
  if (op.sum == Element::f64) {
    for (unsigned k = 0; k < op.k; ++k)
      sum = std::fma(x[k], y[k], sum);
    return sum;
  }
  auto single = static_cast<float>(sum);
  for (unsigned k = 0; k < op.k; ++k)
    single = std::fma(static_cast<float>(x[k]), static_cast<float>(y[k]), single);
  return single;
}

std::int64_t sum_of_integers(const MatrixOp& op, const double* x, const double* y, std::int32_t sum) {
  std::int64_t made = sum;
  for (unsigned k = 0; k < op.k; ++k) {
    const bool of_bits = op.a.element == Element::b1;
    const auto left = static_cast<std::int64_t>(x[k]), right = static_cast<std::int64_t>(y[k]);
    made += of_bits && !op.counts_and ? left ^ right : left * right;
  }
  return op.saturates ? std::clamp<std::int64_t>(made, std::numeric_limits<std::int32_t>::min(),
                                                 std::numeric_limits<std::int32_t>::max())
                      : made;
}

bool is_integer(Element element) {
  return element >= Element::s8;
}

} // namespace

double number_of(Element element, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (element) {
  case Element::f16:
    return half_to_float(word & 0xFFFFU);
  case Element::bf16:
    return std::bit_cast<float>(word << 16);
  case Element::tf32: // 10 bits of mantissa: the others are not read
    return std::bit_cast<float>(word & 0xFFFFE000U);
  case Element::f32:
    return std::bit_cast<float>(word);
  case Element::f64:
    return std::bit_cast<double>(bits);
  case Element::e4m3:
    return half_to_float(e4m3_to_half(word));
  case Element::e5m2:
    return half_to_float(e5m2_to_half(word));
  case Element::e4m3_nz:
    return without_negative_zero(word, 3, 8);
  case Element::e5m2_nz:
    return without_negative_zero(word, 2, 16);
  case Element::e2m1:
    return small_float(word >> 2 & 15U, 2, 1, 1);
  case Element::fp4:
    return small_float(word & 15U, 2, 1, 1);
  case Element::e3m2:
    return small_float(word & 63U, 3, 2, 3);
  case Element::e2m3:
    return small_float(word & 63U, 2, 3, 1);
  case Element::ue8m0:
    return power_of_two(word & 0xFFU);
  case Element::s8:
    return static_cast<std::int8_t>(word);
  case Element::s4:
    return static_cast<std::int32_t>(word << 28) >> 28;
  default:
    return word;
  }
}

std::uint32_t code_of(Element element, double number, const NumberRounding& rounding) {
  if (element == Element::ue8m0)
    return exponent_code(number, rounding);
  const FloatFormat format = format_of(element);
  if (std::isnan(number))
    return format.nan;
  const bool negative = std::signbit(number);
  const std::uint32_t sign = negative ? 1U << (format.bits - 1) : 0;
  const double size = std::fabs(number);
  const int least = 1 - format.bias; // exponent of the smallest normal number
  std::uint32_t code = format.infinity;
  if (!std::isinf(size)) {
    const int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
    const double units = rounded_units(std::ldexp(size, static_cast<int>(format.fraction_bits) - exponent),
                                       rounding, negative);
    // Rounding up to the next power of two carries into the exponent.
    const double whole = std::ldexp(exponent - least, static_cast<int>(format.fraction_bits)) + units;
    code = whole > format.largest ? format.infinity : static_cast<std::uint32_t>(whole);
  }
  return sign | (code > format.largest && rounding.saturates ? format.largest : code);
}

std::uint64_t sum_of(const MatrixOp& op, const double* row, const double* column, std::uint64_t sum) {
  const auto word = static_cast<std::uint32_t>(sum);
  if (is_integer(op.a.element))
    return static_cast<std::uint32_t>(sum_of_integers(op, row, column, static_cast<std::int32_t>(word)));
  const double made = sum_of_floats(op, row, column, number_of(op.sum, sum));
  switch (op.sum) {
  case Element::f64:
    return std::bit_cast<std::uint64_t>(made);
  case Element::f16:
    return to_half(static_cast<float>(made));
  case Element::bf16:
    return float_to_bfloat(static_cast<float>(made));
  default:
    return std::bit_cast<std::uint32_t>(static_cast<float>(made));
  }
}

} // namespace forewarp::simt
