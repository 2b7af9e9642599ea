// Conversions and bit counts.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

Style fp_source(unsigned width) {
  return {static_cast<std::uint8_t>(width), true, true, false, ImmediateType::fp32};
}

constexpr Words float_sizes[] = {refused, M::f16, M::f32, M::f64};

/// Destination size at 75, source size at 84 (8, 16, 32, 64 bits: 0 to 3).
unsigned registers_of_size(std::uint64_t size) {
  return size == 3 ? 2 : 1;
}

void f2f(Reader& r) {
  r.flag(80, M::ftz);
  if (r.field(75, 3) == 4)
    r.word(M::bf16);
  else
    r.choose(r.field(75, 3), float_sizes);
  r.choose(r.field(84, 2), float_sizes);
  r.round();
  r.general(16, {static_cast<std::uint8_t>(registers_of_size(r.field(75, 2)))});
  r.sources();
  r.wide(fp_source(registers_of_size(r.field(84, 2))));
}

void f2i(Reader& r) {
  static constexpr Words targets[] = {M::u8, M::s8, M::u16, M::s16, M::u32, {}, M::u64, M::s64};
  static constexpr Words origins[] = {refused, M::f16, {}, M::f64};
  r.flag(80, M::ftz);
  r.choose(r.field(75, 2) << 1 | r.field(72, 1), targets);
  r.choose(r.field(84, 2), origins);
  r.choice(78, 2, {{}, M::floor, M::ceil, M::trunc});
  r.flag(77, M::ntz);
  r.general(16, {static_cast<std::uint8_t>(registers_of_size(r.field(75, 2)))});
  r.sources();
  r.wide(fp_source(registers_of_size(r.field(84, 2))));
}

void i2f(Reader& r) {
  static constexpr Words targets[] = {refused, M::f16, {}, M::f64};
  static constexpr Words origins[] = {M::u8, M::s8, M::u16, M::s16, M::u32, {}, M::u64, M::s64};
  r.choose(r.field(75, 2), targets);
  r.choose(r.field(84, 2) << 1 | r.field(74, 1), origins);
  r.round();
  r.general(16, {static_cast<std::uint8_t>(registers_of_size(r.field(75, 2)))});
  r.sources();
  Operand& source = r.wide({static_cast<std::uint8_t>(registers_of_size(r.field(84, 2)))});
  // Which byte or half of the register.
  if (r.field(84, 2) < 2 && r.form() == 1)
    if (const auto part = r.field(60, 2))
      source.suffixes.push_back(r.field(84, 2) == 1 ? M::h1_h1
                                : part == 1         ? M::b1
                                : part == 2         ? M::b2
                                                    : M::b3);
}

void i2fp(Reader& r) {
  r.choice(75, 3, {refused, refused, M::f32});
  static constexpr Words origins[] = {M::u32, M::s32};
  if (r.field(84, 2) != 2)
    r.refuse("source size");
  r.choose(r.field(74, 1), origins);
  r.round();
  r.general(16);
  r.sources();
  r.wide();
}

void frnd(Reader& r) {
  r.flag(80, M::ftz);
  const auto to = r.field(75, 2);
  if (to != r.field(84, 2) || to == 0)
    r.refuse("size");
  r.choice(84, 2, {refused, M::f16, {}, M::f64});
  r.choice(78, 2, {{}, M::floor, M::ceil, M::trunc});
  r.general(16, {static_cast<std::uint8_t>(registers_of_size(to))});
  r.sources();
  r.wide(fp_source(registers_of_size(to)));
}

/// Two floats to a packed pair of narrow ones.
void f2fp(Reader& r) {
  r.flag(77, M::satfinite);
  r.flag(75, M::relu);
  if (r.sm() >= 89) {
    r.word(r.bit(76) ? M::bf16 : M::f16);
    r.word(M::f32);
  } else {
    r.flag(76, M::bf16);
  }
  if (r.bit(78)) {
    r.refuse("packing");
    return;
  }
  r.word(M::pack_ab);
  if (r.bit(81) || r.bit(86))
    r.refuse("rounding");
  r.general(16);
  r.sources();
  r.a(fp_source(1));
  r.wide(fp_source(1));
}

constexpr Style inverted = {1, false, false, true, ImmediateType::integer};

void flo(Reader& r) {
  if (!r.bit(73))
    r.word(M::u32);
  r.flag(74, M::sh);
  r.general(16);
  r.predicate(81, false);
  r.sources();
  r.wide(inverted);
}

void popc(Reader& r) {
  r.general(16);
  r.sources();
  r.wide(inverted);
}

constexpr Row conversion_row_list[] = {
    {0x03e, Opcode::f2fp, f2fp},
    {0x045, Opcode::i2fp, i2fp},
    {0x05a, Opcode::ui2f, in_uniform_files<i2f>, 100},
    {0x05c, Opcode::uf2i, in_uniform_files<f2i>, 100},
    {0x05e, Opcode::ui2fp, in_uniform_files<i2fp>, 100},
    {0x0bd, Opcode::uflo, in_uniform_files<flo>},
    {0x0bf, Opcode::upopc, in_uniform_files<popc>},
    {0x100, Opcode::flo, flo},
    {0x101, Opcode::brev, popc},
    {0x104, Opcode::f2f, f2f},
    {0x105, Opcode::f2i, f2i},
    {0x106, Opcode::i2f, i2f},
    {0x107, Opcode::frnd, frnd},
    {0x109, Opcode::popc, popc},
    {0x110, Opcode::f2f, f2f},
    {0x111, Opcode::f2i, f2i},
    {0x112, Opcode::i2f, i2f},
    {0x113, Opcode::frnd, frnd},
};

} // namespace

std::span<const Row> conversion_rows() {
  return conversion_row_list;
}

} // namespace forewarp::sass
