// Integer arithmetic of addresses, on values of any width up to 64 bits, and the few steps through floats by
// which machine code divides integers (floats are their bits).
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace forewarp::simt::index {

using Op = unsigned; // LLVM's opcode, or one of these:
inline constexpr Op constant_op = 1000, group_op = 1001, signed_min = 1002, signed_max = 1003,
                    unsigned_min = 1004, unsigned_max = 1005, compare_op = 1006, load_op = 1007,
                    absolute = 1008, reciprocal = 1009, narrow_up = 1010, to_unsigned = 1011,
                    to_signed = 1012, whole_part = 1013, flushed = 1014;

inline std::uint64_t cut(std::uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}
inline std::int64_t extended(std::uint64_t value, unsigned width) {
  return width >= 64 ? static_cast<std::int64_t>(value)
                     : static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
}

inline bool holds(llvm::CmpInst::Predicate predicate, std::uint64_t a, std::uint64_t b, unsigned width) {
  return llvm::ICmpInst::compare(llvm::APInt(width, a), llvm::APInt(width, b), predicate);
}

/// Of two operands of `width` bits. Division by zero gives zero.
inline std::uint64_t binary(Op op, std::uint64_t a, std::uint64_t b, unsigned width) {
  using I = llvm::Instruction;
  const std::int64_t x = extended(a, width), y = extended(b, width);
  switch (op) {
  case I::Add:
    return a + b;
  case I::Sub:
    return a - b;
  case I::Mul:
    return a * b;
  case I::UDiv:
    return b == 0 ? 0 : a / b;
  case I::URem:
    return b == 0 ? 0 : a % b;
  case I::SDiv:
    return y == 0 ? 0 : y == -1 ? 0 - a : static_cast<std::uint64_t>(x / y);
  case I::SRem:
    return y == 0 || y == -1 ? 0 : static_cast<std::uint64_t>(x % y);
  case I::And:
    return a & b;
  case I::Or:
    return a | b;
  case I::Xor:
    return a ^ b;
  case I::Shl:
    return b < width ? a << b : 0;
  case I::LShr:
    return b < width ? a >> b : 0;
  case I::AShr:
    return static_cast<std::uint64_t>(x >> std::min<std::uint64_t>(b, 63));
  case signed_min:
    return x < y ? a : b;
  case signed_max:
    return x > y ? a : b;
  case unsigned_min:
    return std::min(a, b);
  default:
    return std::max(a, b); // unsigned_max
  }
}

/// The number that bits of 32 or 64 stand for, and back.
inline double float_of(std::uint64_t bits, unsigned width) {
  return width == 32 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
}
inline std::uint64_t bits_of(double value, unsigned width) {
  return width == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                     : std::bit_cast<std::uint64_t>(value);
}

/// To a whole number of `width` bits, at its ends where the value lies beyond; NaN gives zero.
inline std::uint64_t whole(double value, unsigned width, bool is_signed) {
  const int digits = static_cast<int>(width) - (is_signed ? 1 : 0);
  const double most = std::ldexp(1.0, digits), least = is_signed ? -most : 0;
  if (std::isnan(value))
    return 0;
  if (value >= most)
    return cut(~std::uint64_t{0}, static_cast<unsigned>(digits));
  if (value <= least)
    return is_signed ? std::uint64_t{1} << digits : 0;
  return is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                   : static_cast<std::uint64_t>(value);
}

/// Of one operand of `from` bits; the result has `width`.
inline std::uint64_t converted(Op op, std::uint64_t a, unsigned from, unsigned width) {
  using I = llvm::Instruction;
  switch (op) {
  case I::SExt:
    return static_cast<std::uint64_t>(extended(a, from));
  case I::UIToFP:
    return bits_of(static_cast<double>(a), width);
  case I::SIToFP:
    return bits_of(static_cast<double>(extended(a, from)), width);
  case absolute:
    return extended(a, from) < 0 ? 0 - a : a;
  case reciprocal:
    return bits_of(1 / float_of(a, from), width);
  case narrow_up: {
    const double exact = float_of(a, from);
    const auto nearest = static_cast<float>(exact);
    return bits_of(
        nearest < exact ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest, width);
  }
  case flushed: // what is too small for a normal float is zero
    return std::abs(float_of(a, from)) < std::numeric_limits<float>::min() ? 0 : a;
  case whole_part:
    return bits_of(std::trunc(float_of(a, from)), width);
  case to_unsigned:
  case to_signed:
    return whole(float_of(a, from), width, op == to_signed);
  default: // widened by zeros, cut, or the same bits
    return a;
  }
}

} // namespace forewarp::simt::index
