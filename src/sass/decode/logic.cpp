// Bits, shifts, selections, predicates and moves, of the vector and of the uniform datapath.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

void lop3(Reader& r) {
  r.word(M::lut);
  r.flag(80, M::pand);
  r.predicate(81, false);
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  r.b();
  r.c();
  r.immediate(r.field(72, 8));
  r.source_predicate(87);
}

/// Three predicates through two tables.
void plop3(Reader& r) {
  r.word(M::lut);
  r.predicate(81);
  r.predicate(84);
  r.sources();
  r.source_predicate(87);
  r.source_predicate(77);
  r.source_predicate(68, r.bit(67));
  r.immediate(r.field(72, 5) << 3 | r.field(64, 3));
  r.immediate(r.field(16, 8));
}

void shf(Reader& r) {
  r.choice(76, 1, {M::l, M::r});
  r.flag(75, M::w);
  r.choice(73, 2, {M::s64, M::u64, M::s32, M::u32});
  r.flag(80, M::hi);
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  r.b();
  r.c();
}

/// From sm_100 on, pairs in the forms that have no other use here.
void sel(Reader& r) {
  constexpr unsigned immediate = 2, registers = 3, uniform = 7;
  const bool pairs = r.sm() >= 100 && (r.form() == immediate || r.form() == registers || r.form() == uniform);
  const std::uint8_t width = pairs ? 2 : 1;
  if (pairs)
    r.word(M::w64);
  r.general(16, {width});
  r.sources();
  Operand& a = r.general(24, {width});
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  if (pairs && r.form() == registers) {
    Operand& other = r.general(32, {width});
    other.reuse = other.kind == OperandKind::general && (r.instruction().control.reuse & 2) != 0;
  } else {
    r.wide({width, false, false, false, pairs ? ImmediateType::signed_integer : ImmediateType::integer});
  }
  r.source_predicate(87);
}

void prmt(Reader& r) {
  r.choice(72, 3, {{}, M::f4e, M::b4e, M::rc8, M::ecl, M::ecr, M::rc16});
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  r.b();
  r.c();
}

/// A literal of 64 bits from bit 24 on (MOV.64 and UMOV.64 of sm_100 and later).
void mov_literal(Reader& r) {
  r.word(M::w64);
  r.general(16, {2});
  r.sources();
  r.immediate(r.field(24, 40) | r.field(64, 24) << 40).width = 2;
}

/// MOV's four bits at 72 say which bytes are written; anything but all is not known to occur.
void mov(Reader& r) {
  if (r.sm() >= 100 && r.form() == 2) {
    mov_literal(r);
    return;
  }
  const bool pair = r.sm() >= 100 && r.bit(80);
  const std::uint8_t width = pair ? 2 : 1;
  if (pair)
    r.word(M::w64);
  r.general(16, {width});
  r.sources();
  r.wide({width});
  if (r.instruction().opcode == Opcode::mov) {
    Operand& bytes = r.immediate(r.field(72, 4));
    bytes.shown = bytes.value != 15;
  }
}

void sgxt(Reader& r) {
  r.flag(75, M::w);
  if (!r.bit(73))
    r.word(M::u32);
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  r.wide();
}

void bmsk(Reader& r) {
  r.flag(75, M::w);
  r.general(16);
  r.sources();
  Operand& a = r.general(24);
  a.reuse = a.kind == OperandKind::general && (r.instruction().control.reuse & 1) != 0;
  r.wide();
}

void p2r(Reader& r) {
  r.choice(76, 2, {{}, M::b1, M::b2, M::b3});
  r.general(16);
  r.sources();
  r.instruction().operands.emplace_back().kind = OperandKind::predicate_set;
  r.a();
  r.wide({1, false, false, false, ImmediateType::signed_integer});
}

void r2p(Reader& r) {
  r.choice(76, 2, {{}, M::b1, M::b2, M::b3});
  r.instruction().operands.emplace_back().kind = OperandKind::predicate_set;
  r.sources();
  r.a();
  r.wide();
}

template <void (*Read)(Reader&)> void in_uniform_files(Reader& r) {
  r.uniform_files();
  Read(r);
}

constexpr Row logic_row_list[] = {
    {0x002, Opcode::mov, mov},
    {0x003, Opcode::p2r, p2r},
    {0x004, Opcode::r2p, r2p},
    {0x007, Opcode::sel, sel},
    {0x012, Opcode::lop3, lop3},
    {0x016, Opcode::prmt, prmt},
    {0x019, Opcode::shf, shf},
    {0x01a, Opcode::sgxt, sgxt},
    {0x01b, Opcode::bmsk, bmsk},
    {0x01c, Opcode::plop3, plop3},
    {0x082, Opcode::umov, in_uniform_files<mov>},
    {0x087, Opcode::usel, in_uniform_files<sel>},
    {0x092, Opcode::ulop3, in_uniform_files<lop3>},
    {0x096, Opcode::uprmt, in_uniform_files<prmt>},
    {0x099, Opcode::ushf, in_uniform_files<shf>},
    {0x09a, Opcode::usgxt, in_uniform_files<sgxt>},
    {0x09b, Opcode::ubmsk, in_uniform_files<bmsk>},
    {0x09c, Opcode::uplop3, in_uniform_files<plop3>},
};

} // namespace

std::span<const Row> logic_rows() {
  return logic_row_list;
}

} // namespace forewarp::sass
