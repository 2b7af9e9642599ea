// Integer arithmetic and comparison, of the vector and of the uniform datapath.
#include "sass/decode/reader.h"

#include <bit>

namespace forewarp::sass {
namespace {

using M = Modifier;

constexpr Style signed_source = {1, true, false, false, ImmediateType::signed_integer};

/// Without a sign bit, immediates shown signed.
constexpr Style number = {1, false, false, false, ImmediateType::signed_integer};

/// Sources of a sum: -x, and under .X ~x.
Style addend(Reader& r) {
  Style style = signed_source;
  if (r.bit(74)) {
    style.negate = false;
    style.invert = true;
  }
  return style;
}

void iadd3(Reader& r) {
  r.flag(74, M::x);
  r.general(16);
  const bool always = r.sm() >= 100;
  r.predicate(81, always);
  r.predicate(84, always);
  r.sources();
  r.a(addend(r));
  r.b(addend(r));
  r.c(addend(r));
  if (r.bit(74)) {
    r.source_predicate(87);
    r.source_predicate(77);
  }
}

/// Of pairs of registers.
void iadd3_64(Reader& r) {
  r.word(M::w64);
  r.general(16, {2});
  const bool always = r.sm() >= 100;
  r.predicate(81, always);
  r.predicate(84, always);
  r.sources();
  if (r.bit(74))
    r.refuse("carry of UIADD3.64");
  const Style pair = {2, true, false, false, ImmediateType::signed_integer};
  r.a(pair);
  r.b(pair);
  r.c(pair);
}

bool is_register_zero(const Operand& operand) {
  return operand.is_zero() && !operand.negate && !operand.invert;
}

/// The listing names IMAD after its use; the bits have no such name.
void name_imad(Reader& r) {
  const Instruction& instruction = r.instruction();
  const Operand& a = instruction.operands[1];
  const Operand& b = instruction.operands[2];
  const Operand& c = instruction.operands[3];
  std::vector<M> words;
  const bool carries = r.bit(74);
  const bool by_one = b.kind == OperandKind::immediate && b.value == 1;
  const bool nothing_added = is_register_zero(c);
  const bool general_product = a.kind == OperandKind::general && b.kind != OperandKind::uniform;
  if (!carries && general_product && c.kind != OperandKind::uniform) {
    if (a.is_zero() || b.is_zero() || (by_one && nothing_added))
      words.push_back(M::mov);
    else if (by_one)
      words.push_back(M::iadd);
    else if (nothing_added && b.kind == OperandKind::immediate && std::has_single_bit(b.value) &&
             b.value >> 31 == 0 && b.value != 0x10000)
      words.push_back(M::shl);
  }
  if (!r.bit(73))
    words.push_back(M::u32);
  if (carries)
    words.push_back(M::x);
  r.instruction().modifiers = words;
}

void imad(Reader& r) {
  r.general(16);
  r.sources();
  r.a();
  r.b(number);
  r.c(addend(r));
  if (r.bit(74))
    r.source_predicate(87);
  name_imad(r);
}

void imad_two_registers(Reader& r, M what, bool wide) {
  r.word(what);
  if (!r.bit(73))
    r.word(M::u32);
  r.flag(74, M::x);
  r.general(16, {static_cast<std::uint8_t>(wide ? 2 : 1)});
  r.predicate(81, false);
  r.sources();
  r.a();
  r.b(number);
  Style pair = addend(r);
  pair.width = 2;
  r.c(pair);
  if (r.bit(74))
    r.source_predicate(87);
}

void imad_wide(Reader& r) {
  imad_two_registers(r, M::wide, true);
}
void imad_hi(Reader& r) {
  imad_two_registers(r, M::hi, false);
}

/// From sm_100 on bit 80 says that pairs are compared.
bool of_pairs(const Reader& r) {
  return r.sm() >= 100 && r.bit(80);
}

void isetp(Reader& r) {
  r.choice(76, 3, {M::f, M::lt, M::eq, M::le, M::gt, M::ne, M::ge, M::t});
  if (of_pairs(r))
    r.choice(73, 1, {M::u64, M::s64});
  else if (!r.bit(73))
    r.word(M::u32);
  r.choice(74, 2, {M::and_, M::or_, M::xor_, refused});
  r.flag(72, M::ex);
  r.predicate(81);
  r.predicate(84);
  r.sources();
  const std::uint8_t width = of_pairs(r) ? 2 : 1;
  Operand& a = r.general(24, {width});
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  Style other = number;
  other.width = width;
  r.wide(other);
  r.source_predicate(87);
  if (r.bit(72))
    r.source_predicate(68);
}

/// LEA: (a << s) + b; .HI: the upper part of the pair {c:a} shifted, plus b.
void lea(Reader& r) {
  const bool high = r.bit(80);
  const bool extended = r.bit(73);
  if (high)
    r.word(M::hi);
  r.flag(74, M::x);
  if (extended)
    r.word(M::sx32);
  r.general(16);
  r.predicate(81, false);
  r.sources();
  Style bits = addend(r);
  bits.type = ImmediateType::integer;
  r.a(bits);
  r.b(bits);
  if (high && !extended)
    r.c();
  r.immediate(r.field(75, 5));
  if (r.bit(74))
    r.source_predicate(87);
}

void iabs(Reader& r) {
  r.general(16);
  r.sources();
  r.wide();
}

void imnmx(Reader& r) {
  if (!r.bit(73))
    r.word(M::u32);
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = (r.instruction().control.reuse & 1) != 0;
  r.wide(number);
  r.source_predicate(87);
}

/// From sm_100 on: of pairs.
void imnmx_pair(Reader& r) {
  if (!r.bit(74))
    r.refuse("form of IMNMX");
  r.choice(73, 1, {M::u64, M::s64});
  r.predicate(81);
  r.predicate(84);
  r.general(16, {2});
  r.sources();
  Operand& a = r.general(24, {2});
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  Style other = number;
  other.width = 2;
  r.wide(other);
  r.source_predicate(87);
  r.source_predicate(77);
}

/// Sum of two words or pairs.
void iadd(Reader& r) {
  const std::uint8_t width = r.bit(73) ? 2 : 1;
  r.flag(73, M::w64);
  r.flag(74, M::x);
  r.general(16, {width});
  r.predicate(81, false);
  r.sources();
  Style style = addend(r);
  style.width = width;
  r.a(style);
  r.wide(style);
  if (r.bit(74))
    r.source_predicate(87);
}

/// From sm_90 on: sum, minimum and both, of 32 bits or of two halves.
void viadd(Reader& r) {
  if (r.field(74, 2) != 0)
    r.refuse("type");
  r.flag(73, M::w16x2);
  r.general(16);
  r.sources();
  r.a();
  Style style = signed_source;
  style.type = ImmediateType::integer;
  r.wide(style);
}

void minimum_words(Reader& r) {
  if (r.sm() >= 100)
    r.choice(72, 3, {M::u32, M::s32, M::u16x2, M::s16x2});
  else
    r.choice(72, 2, {M::u32, {}, M::u16x2, M::s16x2});
  r.flag(76, M::relu);
}

void vimnmx(Reader& r) {
  minimum_words(r);
  r.general(16);
  r.sources();
  r.a();
  r.wide(r.bit(72) ? number : plain);
  r.source_predicate(87);
}

void vimnmx3(Reader& r) {
  minimum_words(r);
  r.general(16);
  r.sources();
  r.a();
  r.b();
  r.c();
  r.source_predicate(87);
}

void viaddmnmx(Reader& r) {
  minimum_words(r);
  r.general(16);
  r.sources();
  r.a();
  Style style = signed_source;
  style.type = ImmediateType::integer;
  r.b(style);
  r.c();
  r.source_predicate(87);
}

void uimad_low(Reader& r) {
  r.uniform_files();
  if (!r.bit(73))
    r.word(M::u32);
  r.flag(74, M::x);
  r.general(16);
  r.sources();
  r.general(24);
  r.b(number);
  r.c(addend(r));
  if (r.bit(74))
    r.source_predicate(87);
}

/// Dot product of bytes (4A) or of halves with bytes (2A).
void idp(Reader& r) {
  const bool halves = r.bit(76);
  if (halves)
    r.word(M::w2a);
  else
    r.word(M::w4a);
  if (halves)
    r.word(r.bit(77) ? M::hi : M::lo);
  if (halves)
    r.choice(73, 1, {M::u16, M::s16});
  else
    r.choice(73, 1, {M::u8, M::s8});
  r.choice(74, 1, {M::u8, M::s8});
  r.general(16);
  r.sources();
  r.a();
  r.b();
  r.c(signed_source);
}

/// |a - b| + c; of bytes where the opcode says 4.
void vabsdiff(Reader& r) {
  const bool bytes = r.instruction().opcode == Opcode::vabsdiff4;
  if (!r.bit(73))
    r.word(bytes ? M::u8 : M::u32);
  if (bytes)
    r.flag(75, M::acc);
  r.general(16);
  r.sources();
  r.a();
  r.b();
  r.c();
}

constexpr Row integer_row_list[] = {
    {0x00c, Opcode::isetp, isetp},
    {0x00f, Opcode::vimnmx3, vimnmx3, 90},
    {0x010, Opcode::iadd3, iadd3},
    {0x011, Opcode::lea, lea},
    {0x013, Opcode::iabs, iabs},
    {0x014, Opcode::vabsdiff, vabsdiff},
    {0x015, Opcode::vabsdiff4, vabsdiff},
    {0x017, Opcode::imnmx, imnmx, 75, 89},
    {0x017, Opcode::imnmx, imnmx_pair, 100},
    {0x024, Opcode::imad, imad},
    {0x025, Opcode::imad, imad_wide},
    {0x026, Opcode::idp, idp},
    {0x027, Opcode::imad, imad_hi},
    {0x035, Opcode::iadd, iadd, 100},
    {0x036, Opcode::viadd, viadd, 90},
    {0x046, Opcode::viaddmnmx, viaddmnmx, 90},
    {0x048, Opcode::vimnmx, vimnmx, 90},
    {0x04a, Opcode::uvimnmx, in_uniform_files<vimnmx>, 100},
    {0x085, Opcode::uimnmx, in_uniform_files<imnmx_pair>, 100},
    {0x08c, Opcode::uisetp, in_uniform_files<isetp>},
    {0x090, Opcode::uiadd3, in_uniform_files<iadd3>},
    {0x097, Opcode::uiadd3, in_uniform_files<iadd3_64>, 90},
    {0x091, Opcode::ulea, in_uniform_files<lea>},
    {0x0a4, Opcode::uimad, uimad_low},
    {0x0a5, Opcode::uimad, in_uniform_files<imad_wide>},
    {0x0a7, Opcode::uimad, in_uniform_files<imad_hi>},
};

} // namespace

std::span<const Row> integer_rows() {
  return integer_row_list;
}

} // namespace forewarp::sass
