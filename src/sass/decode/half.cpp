// Packed halves.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

constexpr Style half_pair = {1, true, true, false, ImmediateType::fp16_pair};

/// Sources by the type of the instruction: bit 85 says bfloat16.
Style pair_of(const Reader& r) {
  Style style = half_pair;
  if (r.bit(85))
    style.type = ImmediateType::bf16_pair;
  return style;
}

/// Which halves of a register are read; nothing: both as they lie.
void halves(Reader& r, Operand& operand, unsigned at) {
  if (operand.kind == OperandKind::immediate)
    return;
  switch (r.field(at, 2)) {
  case 1:
    operand.suffixes.push_back(M::f32);
    break;
  case 2:
    operand.suffixes.push_back(M::h0_h0);
    break;
  case 3:
    operand.suffixes.push_back(M::h1_h1);
    break;
  default:
    break;
  }
}

/// Operand A of opcodes with two sources: signs at 72 and 73, halves at 74.
void half_a(Reader& r) {
  halves(r, r.a(half_pair), 74);
}

void half_wide(Reader& r, Style style, int reuse_bit) {
  halves(r, r.wide(style, reuse_bit), 60);
}

void hfma2(Reader& r) {
  if (r.field(0, 9) == 0x035)
    r.word(M::mma);
  r.flag(85, M::bf16_v2);
  r.flag(78, M::f32);
  r.flag(76, M::fmz);
  r.flag(80, M::ftz);
  r.flag(77, M::sat);
  r.flag(79, M::relu);
  r.general(16);
  r.sources();
  half_a(r);
  const bool third_wide = r.form() == 2 || r.form() == 3 || r.form() == 7;
  const Style halves_source = pair_of(r);
  Style unsigned_half = halves_source;
  unsigned_half.negate = unsigned_half.absolute = false;
  // The register at 64 has its signs at 83 and 84 and its halves at 81.
  Operand& second = third_wide ? r.b(unsigned_half) : r.wide(halves_source);
  halves(r, second, third_wide ? 81 : 60);
  if (third_wide) {
    second.absolute = r.bit(83);
    second.negate = r.bit(84);
    halves(r, r.c(halves_source), 60);
    return;
  }
  Operand& third = r.c(unsigned_half);
  third.absolute = r.bit(83);
  third.negate = r.bit(84);
  halves(r, third, 81);
}

void two_halves(Reader& r) {
  r.flag(85, M::bf16_v2);
  r.flag(78, M::f32);
  r.flag(76, M::fmz);
  r.flag(80, M::ftz);
  r.flag(77, M::sat);
  r.flag(79, M::relu);
  r.general(16);
  r.sources();
  half_a(r);
  half_wide(r, pair_of(r), r.instruction().opcode == Opcode::hadd2 ? 2 : 1);
}

void hsetp2(Reader& r) {
  r.choice(76, 4,
           {M::f, M::lt, M::eq, M::le, M::gt, M::ne, M::ge, M::num, M::nan, M::ltu, M::equ, M::leu, M::gtu,
            M::neu, M::geu, M::t});
  r.flag(80, M::ftz);
  r.choice(69, 2, {M::and_, M::or_, M::xor_, refused});
  r.predicate(81);
  r.predicate(84);
  r.sources();
  half_a(r);
  half_wide(r, half_pair, 1);
  r.source_predicate(87);
}

/// A comparison as two halves 0 or 1 (.BF), or as two masks.
void hset2(Reader& r) {
  r.flag(71, M::bf);
  r.choice(76, 4,
           {M::f, M::lt, M::eq, M::le, M::gt, M::ne, M::ge, M::num, M::nan, M::ltu, M::equ, M::leu, M::gtu,
            M::neu, M::geu, M::t});
  r.flag(80, M::ftz);
  r.choice(69, 2, {M::and_, M::or_, M::xor_, refused});
  r.general(16);
  r.sources();
  half_a(r);
  half_wide(r, half_pair, 1);
  r.source_predicate(87);
}

void hmnmx2(Reader& r) {
  r.flag(85, M::bf16_v2);
  r.flag(80, M::ftz);
  r.flag(81, M::nan);
  r.flag(82, M::xorsign);
  r.general(16);
  r.sources();
  half_a(r);
  half_wide(r, pair_of(r), 1);
  r.source_predicate(87);
}

constexpr Row half_row_list[] = {
    {0x030, Opcode::hadd2, two_halves},    {0x031, Opcode::hfma2, hfma2},
    {0x032, Opcode::hmul2, two_halves},    {0x033, Opcode::hset2, hset2},
    {0x040, Opcode::hmnmx2, hmnmx2},       {0x034, Opcode::hsetp2, hsetp2},
    {0x035, Opcode::hfma2, hfma2, 75, 90},
};

} // namespace

std::span<const Row> half_rows() {
  return half_row_list;
}

} // namespace forewarp::sass
