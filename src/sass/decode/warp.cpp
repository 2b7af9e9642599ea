// Exchange between lanes, votes, special registers, moves between register files.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

/// SHFL P, d, a, lane, limits; form: 1 both in registers, 2 limits immediate, 4 lane immediate, 7 both.
void shfl(Reader& r) {
  r.choice(58, 2, {M::idx, M::up, M::down, M::bfly});
  r.predicate(81);
  r.general(16);
  r.sources();
  r.a();
  const bool lane_immediate = r.form() == 4 || r.form() == 7;
  const bool limits_immediate = r.form() == 2 || r.form() == 7;
  if (lane_immediate) {
    r.immediate(r.field(53, 5));
  } else {
    Operand& lane = r.general(32);
    lane.reuse = (r.instruction().control.reuse >> 1 & 1) != 0;
  }
  if (limits_immediate) {
    r.immediate(r.field(40, 13));
  } else {
    Operand& limits = r.general(64);
    limits.reuse = (r.instruction().control.reuse >> 2 & 1) != 0;
  }
}

void vote(Reader& r) {
  r.choice(72, 2, {M::all, M::any, M::eq});
  Operand& ballot = r.general(16);
  ballot.shown = ballot.number != zero_register;
  r.predicate(81);
  r.sources();
  r.source_predicate(87);
}

/// The ballot and the predicate are uniform, the source is not.
void voteu(Reader& r) {
  r.choice(72, 2, {M::all, M::any, M::eq});
  Operand& ballot = r.uniform(16);
  ballot.shown = ballot.number != zero_register;
  r.predicate(81).kind = OperandKind::uniform_predicate;
  r.sources();
  r.source_predicate(87);
}

void special(Reader& r) {
  r.sources();
  Operand& from = r.immediate(0);
  from.kind = OperandKind::special;
  from.number = static_cast<std::uint16_t>(r.field(72, 8));
}

void s2r(Reader& r) {
  r.general(16);
  special(r);
}

void s2ur(Reader& r) {
  r.uniform(16);
  special(r);
}

void cs2r(Reader& r) {
  if (!r.bit(80))
    r.word(M::w32);
  r.general(16, {static_cast<std::uint8_t>(r.bit(80) ? 2 : 1)});
  special(r);
}

void r2ur(Reader& r) {
  r.uniform(16);
  r.predicate(81, false);
  r.last().kind = OperandKind::uniform_predicate;
  r.sources();
  r.a();
}

void match(Reader& r) {
  r.choice(79, 2, {M::all, M::any});
  r.predicate(81, r.field(79, 2) == 0);
  Operand& lanes = r.general(16);
  lanes.shown = lanes.number != zero_register || r.field(79, 2) != 0;
  r.sources();
  r.a();
}

void redux(Reader& r) {
  r.choice(78, 3, {{}, M::or_, M::xor_, M::sum, M::min, M::max});
  if (r.field(78, 3) >= 4)
    r.flag(73, M::s32);
  r.uniform(16);
  r.sources();
  r.a();
}

constexpr Row warp_row_list[] = {
    {0x005, Opcode::cs2r, cs2r},     {0x006, Opcode::vote, vote}, {0x086, Opcode::voteu, voteu},
    {0x119, Opcode::s2r, s2r},       {0x189, Opcode::shfl, shfl}, {0x1a1, Opcode::match, match},
    {0x0ca, Opcode::r2ur, r2ur, 90}, {0x1c2, Opcode::r2ur, r2ur}, {0x1c3, Opcode::s2ur, s2ur},
    {0x1c4, Opcode::redux, redux},
};

} // namespace

std::span<const Row> warp_rows() {
  return warp_row_list;
}

} // namespace forewarp::sass
