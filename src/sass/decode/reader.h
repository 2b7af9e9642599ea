// What an opcode's decoder reads with: fields of the 128 bits, appended to the instruction as modifiers and
// operands. The common places (destination at 16, A at 24, the 32-bit field at 32, the register at 64, guard
// at 12) and the meaning of the form (bits 9 to 11) are the same for every opcode
// (docs/models/machine_code/sass.md).
#pragma once

#include "sass/program.h"

#include <initializer_list>
#include <span>

namespace forewarp::sass {

/// Modifiers that one value of a field stands for; `refused`: the value has no meaning that is known.
struct Words {
  std::array<Modifier, 4> words = {};
  std::int8_t count = 0;
  constexpr Words() = default;
  constexpr Words(Modifier a) : words{a}, count(1) {}
  constexpr Words(Modifier a, Modifier b) : words{a, b}, count(2) {}
  constexpr Words(Modifier a, Modifier b, Modifier c) : words{a, b, c}, count(3) {}
};
inline constexpr Words refused = [] {
  Words none;
  none.count = -1;
  return none;
}();

/// How a source is read: registers, whether the sign bits count, and how an immediate is shown.
struct Style {
  std::uint8_t width = 1;
  bool negate = false;   ///< bit 63, 75 or 72: -x
  bool absolute = false; ///< bit 62, 74 or 73: |x|
  bool invert = false;   ///< the sign bit means ~x
  ImmediateType type = ImmediateType::integer;
};
inline constexpr Style plain = {};
inline constexpr Style f32_source = {1, true, true, false, ImmediateType::fp32};
inline constexpr Style f64_source = {2, true, true, false, ImmediateType::fp64_high};

class Reader {
public:
  Reader(const std::array<std::uint64_t, 2>& bits, unsigned sm, Instruction& into);

  unsigned sm() const { return sm_; }
  unsigned form() const { return instruction_.form; }
  Instruction& instruction() { return instruction_; }
  std::uint64_t field(unsigned at, unsigned width) const;
  std::int64_t signed_field(unsigned at, unsigned width) const;
  bool bit(unsigned at) const { return field(at, 1) != 0; }

  /// The modifier where the bit is set.
  void flag(unsigned at, Modifier modifier);
  void word(Modifier modifier) { instruction_.modifiers.push_back(modifier); }
  /// The words of the field's value; a value beyond the list or `refused` is an error.
  void choice(unsigned at, unsigned width, std::initializer_list<Words> values);
  void choose(std::uint64_t value, std::span<const Words> values);
  void round(unsigned at = 78) { choice(at, 2, {{}, Modifier::rm, Modifier::rp, Modifier::rz}); }
  void refuse(const std::string& what);

  // Operands; those up to `sources()` are written.
  void sources() { instruction_.destinations = static_cast<std::uint8_t>(instruction_.operands.size()); }
  Operand& general(unsigned at, Style style = plain);
  Operand& uniform(unsigned at, Style style = plain);
  Operand& predicate(unsigned at, bool shown_if_true = true);        ///< three bits
  Operand& source_predicate(unsigned at, bool uniform_file = false); ///< three bits and the negation behind
  Operand& immediate(std::uint64_t value, ImmediateType type = ImmediateType::integer);
  Operand& constant(unsigned width); ///< c[bank][offset] of the field at 32
  Operand& label(std::int64_t target);
  Operand& a(Style style = plain); ///< register at 24
  /// The field at 32, by the form; a register's value is kept by this bit of the control word's `reuse`.
  Operand& wide(Style style = plain, int reuse_bit = 1);
  Operand& b(Style style = plain); ///< second of three: at 32, or at 64 where the third is in the field at 32
  Operand& c(Style style = plain); ///< third of three
  Operand& last() { return instruction_.operands.back(); }

  /// Uniform opcodes have uniform registers and predicates where the others have general ones.
  void uniform_files() {
    uniform_files_ = true;
    uniform_guard();
  }
  void uniform_guard() { instruction_.guard.kind = OperandKind::uniform_predicate; }
  std::uint16_t uniform_number(unsigned at) const;

  const std::optional<std::string>& error() const { return error_; }

private:
  Operand& push(OperandKind kind);
  Operand& reg_at_32(Style style, int reuse_bit);
  Operand& reg_at_64(Style style);
  Operand& with_signs(Operand& operand, Style style, unsigned sign, unsigned magnitude, int reuse_bit);

  const std::array<std::uint64_t, 2>& bits_;
  unsigned sm_;
  Instruction& instruction_;
  bool uniform_files_ = false;
  std::optional<std::string> error_;
};

/// The same instruction of the uniform datapath.
template <void (*Read)(Reader&)> void in_uniform_files(Reader& r) {
  r.uniform_files();
  Read(r);
}

/// A row of the table of opcodes: bits 0 to 8, and who reads the rest.
struct Row {
  std::uint16_t number;
  Opcode opcode;
  void (*read)(Reader&);
  unsigned from_sm = 75;
  unsigned to_sm = 999;
};

std::span<const Row> float_rows();
std::span<const Row> half_rows();
std::span<const Row> integer_rows();
std::span<const Row> logic_rows();
std::span<const Row> conversion_rows();
std::span<const Row> memory_rows();
std::span<const Row> atomic_rows();
std::span<const Row> control_rows();
std::span<const Row> warp_rows();
std::span<const Row> tensor_rows();
std::span<const Row> asynchronous_rows();

} // namespace forewarp::sass
