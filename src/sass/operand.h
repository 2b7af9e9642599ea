// Operands of a machine instruction of an NVIDIA GPU, typed. Register 255 is RZ, uniform register 63 (255
// from sm_100) is URZ, predicate 7 is PT: reads give zero or true, writes are lost.
#pragma once

#include "sass/modifier.h"

#include <cstdint>
#include <vector>

namespace forewarp::sass {

inline constexpr std::uint16_t zero_register = 255;
inline constexpr std::uint16_t true_predicate = 7;

enum class OperandKind : std::uint8_t {
  general,           ///< `number` .. `number + width - 1`: R0 .. R254, RZ
  uniform,           ///< UR0 .., URZ; the decoder gives URZ as `zero_register` on every target
  predicate,         ///< P0 .. P6, PT
  uniform_predicate, ///< UP0 .. UP6, UPT
  immediate,         ///< `value`: the field's bits, zero-extended; a displacement (BRX) sign-extended
  constant,          ///< c[bank][base + uniform + offset]: `number` is the bank, see `address`
  address,           ///< [base + uniform + offset] of a memory instruction, see `address`
  label,             ///< `value`: byte offset of the target within the kernel's section
  convergence,       ///< B0 .. B15 of BSSY, BSYNC, BREAK
  scoreboard,        ///< SB0 .. SB5 of DEPBAR
  scoreboard_set,    ///< `value`: mask of further scoreboards of DEPBAR
  special,           ///< S2R and kin: `number` is the special register's code, see special_registers.h
  predicate_set,     ///< PR: all seven predicates (P2R, R2P)
  group_scoreboard,  ///< gsb0: counts products of a warp group that are under way
  matrix_descriptor, ///< gdesc[UR..]: uniform registers that describe matrices in shared memory
  cache_policy,      ///< desc[UR..] of a bulk copy: how L2 is to keep it
};

/// How the listing writes an immediate; the bits are in `value` in every case.
enum class ImmediateType : std::uint8_t { integer, signed_integer, fp32, fp64_high, fp16_pair, bf16_pair };

/// The parts of an address. Absent parts are `zero_register`.
struct Address {
  std::uint16_t base = zero_register;    ///< general register
  std::uint8_t base_width = 1;           ///< 2: a 64-bit pair
  std::uint8_t scale = 1;                ///< 1, 4, 8, 16: factor of `base`
  bool base_unsigned = false;            ///< `.U32`: the 32-bit base is zero-extended
  std::uint16_t uniform = zero_register; ///< uniform register added (also .64: `uniform_width` 2)
  std::uint8_t uniform_width = 1;
  bool has_base = false;    ///< the form has a base register, although it may be RZ
  bool shows_width = false; ///< the listing writes `.64` or `.U32` behind the base
  bool has_uniform = false; ///< `uniform` is part of the form, although it may be URZ
  std::int32_t offset = 0;  ///< bytes
  std::uint16_t descriptor =
      zero_register; ///< desc[UR..]: pair with the memory descriptor; no part of the sum
  bool has_descriptor = false;
  bool operator==(const Address&) const = default;
};

struct Operand {
  OperandKind kind = OperandKind::general;
  bool negate = false;   ///< -x (two's complement or the float's sign); for a predicate see `invert`
  bool absolute = false; ///< |x|
  bool invert = false;   ///< ~x of a register, !p of a predicate
  bool reuse = false;    ///< the register file cache keeps the value
  bool shown =
      true; ///< the vendor's listing leaves it out (an unused PT, RZ); slots of an opcode stay the same
  std::uint8_t width = 1; ///< 32-bit registers from `number`
  std::uint16_t number = 0;
  ImmediateType type = ImmediateType::integer;
  std::uint64_t value = 0;
  Address address = {};
  std::vector<Modifier> suffixes; ///< .H0_H0, .ROW, .COL, .B1, ...
  bool operator==(const Operand&) const = default;

  bool is_zero() const {
    return (kind == OperandKind::general || kind == OperandKind::uniform) && number == zero_register;
  }
  bool is_true() const {
    return (kind == OperandKind::predicate || kind == OperandKind::uniform_predicate) &&
           number == true_predicate;
  }
};

} // namespace forewarp::sass
