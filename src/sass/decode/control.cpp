// Branches, calls, convergence, barriers of groups.
#include "sass/decode/reader.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

std::int64_t next_of(Reader& r) {
  return std::int64_t{r.instruction().offset} + instruction_bytes;
}

/// A condition beside the guard, written only where it is not PT.
void condition(Reader& r) {
  Operand& operand = r.source_predicate(87);
  operand.shown = !operand.is_true() || operand.invert;
}

/// Displacement in bytes, a multiple of 4. From sm_90 on its lowest eight bits stand at 16.
std::int64_t displacement(Reader& r, unsigned width) {
  const std::int64_t upper = r.signed_field(34, width - 2);
  if (r.sm() < 90 || r.instruction().opcode == Opcode::bssy)
    return upper * 4;
  return (upper * 256 + static_cast<std::int64_t>(r.field(16, 8))) * 4;
}

void bra(Reader& r) {
  const auto kind = r.field(32, 2);
  r.choice(32, 2, {{}, M::u, M::div, M::conv});
  r.flag(84, M::any);
  r.choice(85, 2, {{}, M::inc, M::dec});
  r.sources();
  condition(r);
  if (r.sm() >= 100 && r.form() == 2)
    r.source_predicate(24, true); // BRA.U UP, L
  else if (kind >= 2 && r.bit(91))
    r.uniform(24); // the mask of BRA.DIV and BRA.CONV
  else if (r.bit(91))
    r.refuse("uniform operand of BRA");
  r.label(next_of(r) + displacement(r, 50));
}

void brx(Reader& r) {
  r.choice(85, 2, {{}, M::inc, M::dec});
  r.sources();
  condition(r);
  r.general(24, {2});
  r.immediate(static_cast<std::uint64_t>(displacement(r, 50)), ImmediateType::signed_integer);
}

void call(Reader& r) {
  r.choice(85, 2, {M::rel, refused, {M::rel, M::noinc}});
  r.sources();
  condition(r);
  if (r.form() == 1)
    r.general(24, {2});
  r.label(next_of(r) + displacement(r, 50));
}

/// Of a place, or of the one whose address is in a pair of registers.
void call_absolute(Reader& r) {
  r.choice(85, 2, {M::abs, refused, {M::abs, M::noinc}});
  r.sources();
  condition(r);
  if (r.form() == 1)
    r.general(24, {2});
  else
    r.immediate(r.field(32, 50));
}

/// Its own address, from sm_90 on one a few bytes behind.
void place_of_code(Reader& r) {
  r.general(16, {2});
  r.sources();
  if (r.sm() < 90)
    return;
  if (r.field(32, 32) != 0)
    r.refuse("distance of LEPC");
  r.label(next_of(r) + static_cast<std::int64_t>(r.field(24, 8)));
}

void ret(Reader& r) {
  r.choice(85, 2, {M::rel, M::abs, {M::rel, M::nodec}, {M::abs, M::nodec}});
  r.sources();
  condition(r);
  r.general(24, {2});
  const bool relative = !r.bit(85);
  if (relative)
    r.label(next_of(r) + displacement(r, 50));
  else
    r.immediate(static_cast<std::uint64_t>(displacement(r, 50)));
}

void exit_lanes(Reader& r) {
  r.choice(84, 2, {{}, M::keeprefcount, M::preempted});
  r.flag(86, M::no_atexit);
  r.sources();
  condition(r);
}

Operand& convergence(Reader& r) {
  Operand& operand = r.immediate(0);
  operand.kind = OperandKind::convergence;
  operand.number = static_cast<std::uint16_t>(r.field(16, 4));
  return operand;
}

void how(Reader& r) {
  if (r.sm() >= 100)
    r.choice(73, 2, {{}, M::reconvergent, M::reliable});
}

void bssy(Reader& r) {
  how(r);
  r.sources();
  condition(r);
  convergence(r);
  r.label(next_of(r) + displacement(r, 32));
}

void bsync(Reader& r) {
  how(r);
  r.sources();
  condition(r);
  convergence(r);
}

void only_condition(Reader& r) {
  r.sources();
  condition(r);
}

void warpsync(Reader& r) {
  r.sources();
  if (r.sm() >= 90 && r.form() == 4) {
    r.word(M::all);
    condition(r);
    return;
  }
  condition(r);
  r.wide();
}

void bar(Reader& r) {
  const auto mode = r.field(77, 3);
  r.choice(77, 3, {M::sync, M::arv, M::red, refused, M::syncall});
  if (mode == 2)
    r.choice(74, 2, {M::popc, M::and_, M::or_});
  r.flag(80, M::defer_blocking);
  r.sources();
  if (mode == 4)
    return;
  // Forms 1 and 2: the barrier's number in a register, 1 and 4: the number of threads in one (form 1: in the
  // same).
  if (r.form() == 1 || r.form() == 2)
    r.general(32);
  else
    r.immediate(r.field(54, 4));
  if (r.form() == 1 || r.form() == 4) {
    r.general(32);
  } else {
    Operand& threads = r.immediate(r.field(42, 12));
    threads.shown = threads.value != 0;
  }
  if (mode == 2)
    r.source_predicate(87);
}

/// Reads the result of BAR.RED.
void b2r(Reader& r) {
  r.choice(78, 2, {refused, M::result});
  r.general(16);
  r.predicate(81, false);
  r.sources();
}

/// LE SBn, how many may be under way, {others}; without LE the others alone.
void depbar(Reader& r) {
  const bool has_own = r.bit(47);
  if (has_own)
    r.word(M::le);
  r.sources();
  Operand& scoreboard = r.immediate(0);
  scoreboard.kind = OperandKind::scoreboard;
  scoreboard.number = static_cast<std::uint16_t>(r.field(44, 3));
  scoreboard.shown = has_own;
  r.immediate(r.field(38, 6)).shown = has_own;
  Operand& set = r.immediate(r.field(32, 6));
  set.kind = OperandKind::scoreboard_set;
  set.shown = set.value != 0;
}

void bpt(Reader& r) {
  r.choice(84, 3, {refused, refused, refused, M::trap});
  r.immediate(r.field(34, 20));
}

void nanosleep(Reader& r) {
  r.flag(84, M::syncs);
  r.sources();
  condition(r);
  r.wide();
}

void bmov(Reader& r) {
  // BMOV.32.CLEAR RZ, Bn: reads a convergence barrier and clears it.
  r.word(M::w32);
  r.flag(84, M::clear);
  r.general(16);
  r.sources();
  Operand& from = r.immediate(0);
  from.kind = OperandKind::convergence;
  from.number = static_cast<std::uint16_t>(r.field(24, 4));
}

void bmov_to(Reader& r) {
  r.word(M::w32);
  Operand& to = r.immediate(0);
  to.kind = OperandKind::convergence;
  to.number = static_cast<std::uint16_t>(r.field(24, 4));
  r.sources();
  r.general(32);
}

void nothing(Reader&) {}

constexpr Row control_row_list[] = {
    {0x02d, Opcode::preexit, nothing, 90},
    {0x02e, Opcode::acqbulk, nothing, 90},
    {0x118, Opcode::nop, nothing},
    {0x11a, Opcode::depbar, depbar},
    {0x11b, Opcode::endcollective, only_condition, 90},
    {0x11c, Opcode::b2r, b2r},
    {0x11d, Opcode::bar, bar},
    {0x141, Opcode::bsync, bsync},
    {0x142, Opcode::break_, bsync},
    {0x143, Opcode::call, call_absolute},
    {0x144, Opcode::call, call},
    {0x145, Opcode::bssy, bssy},
    {0x146, Opcode::yield, only_condition},
    {0x147, Opcode::bra, bra},
    {0x148, Opcode::warpsync, warpsync},
    {0x149, Opcode::brx, brx},
    {0x14d, Opcode::exit, exit_lanes},
    {0x14e, Opcode::lepc, place_of_code},
    {0x150, Opcode::ret, ret},
    {0x155, Opcode::bmov, bmov},
    {0x156, Opcode::bmov, bmov_to},
    {0x15c, Opcode::bpt, bpt},
    {0x15d, Opcode::nanosleep, nanosleep},
};

} // namespace

std::span<const Row> control_rows() {
  return control_row_list;
}

} // namespace forewarp::sass
