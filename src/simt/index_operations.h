// Integer arithmetic of addresses, on values of any width up to 64 bits.
#pragma once

#include <llvm/ADT/APInt.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <cstdint>

namespace forewarp::simt::index {

using Op = unsigned; // LLVM's opcode, or one of these:
inline constexpr Op constant_op = 1000, group_op = 1001, signed_min = 1002, signed_max = 1003,
                    unsigned_min = 1004, unsigned_max = 1005, compare_op = 1006, load_op = 1007;

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

} // namespace forewarp::simt::index
