// From sm_90 on: barriers in shared memory, bulk copies and tiles by tensor maps, products of a warp group.
// Fields as nvdisasm words them when one bit at a time is turned over in instructions of our own kernels.
#include "sass/decode/address.h"

#include <array>

namespace forewarp::sass {
namespace {

using M = Modifier;

/// [UR], with an offset where it has one.
Operand& uniform_address(Reader& r, unsigned at, std::uint8_t width) {
  Operand& operand = r.immediate(0);
  operand.kind = OperandKind::address;
  operand.address.has_uniform = true;
  operand.address.uniform = r.uniform_number(at);
  operand.address.uniform_width = width;
  return operand;
}

/// [R + UR + imm] of SYNCS: RZ is not shown.
void barrier_address(Reader& r) {
  Operand& operand = uniform_address(r, 64, 1);
  operand.address.base = static_cast<std::uint16_t>(r.field(24, 8));
  operand.address.has_base = true;
  operand.address.offset = static_cast<std::int32_t>(r.signed_field(40, 24));
}

/// Its first contents: how many have to arrive.
void barrier_begin(Reader& r) {
  r.uniform_guard();
  r.choice(72, 2, {refused, {M::exch, M::w64}});
  r.uniform(16, {2});
  r.sources();
  uniform_address(r, 24, 1).address.offset = static_cast<std::int32_t>(r.signed_field(40, 24));
  r.uniform(32, {2});
}

/// Arrivals (A) and bytes that are to come (T, for transactions): 0, 1, the register's, or both in one.
void barrier_arrive(Reader& r) {
  r.choice(70, 2, {{M::arrive, M::trans64}});
  r.flag(73, M::tmask);
  r.flag(74, M::red);
  r.flag(75, M::optout);
  r.choice(84, 3, {{}, M::a1t0, M::a0t1, M::a0tr, M::a0tx, M::art0});
  r.general(16, {2});
  r.sources();
  barrier_address(r);
  r.general(32);
}

void barrier_check(Reader& r) {
  r.choice(70, 2, {refused, {M::phasechk, M::trans64}});
  r.flag(72, M::trywait);
  r.predicate(81);
  r.sources();
  barrier_address(r);
  r.general(32);
}

void barrier_in_memory(Reader& r) {
  constexpr unsigned with_predicate = 2;
  r.form() == with_predicate ? barrier_check(r) : barrier_arrive(r);
}

/// [to], [from], size: to shared memory the first is a pair of address and barrier; a global address is 64
/// bits.
void bulk_copy(Reader& r) {
  r.uniform_guard();
  const auto way = r.field(73, 2);
  constexpr unsigned in = 1;
  r.choice(73, 2, {refused, {M::s, M::g}, {M::g, M::s}});
  r.choice(75, 2, {{}, M::multicast});
  r.choice(81, 2, {{}, M::ltc64b, M::ltc128b});
  if (r.bit(83))
    r.refuse("order of UBLKCP");
  r.sources();
  uniform_address(r, 32, 2);
  uniform_address(r, 24, way == in ? 2 : 1);
  r.uniform(64);
}

/// [shared address, barrier and coordinates], [tensor map]; outwards without the barrier.
void tile_copy(Reader& r) {
  r.uniform_guard();
  r.choice(79, 3, {M::w1d, M::w2d, M::w3d, M::w4d, M::w5d});
  const auto dimensions = static_cast<std::uint8_t>(r.field(79, 3) + 1);
  if (r.bit(76) || r.bit(82))
    r.refuse("form of a copy by a tensor map");
  const bool in = r.instruction().opcode == Opcode::utmaldg;
  r.sources();
  uniform_address(r, 32, static_cast<std::uint8_t>(dimensions + (in ? 2 : 1)));
  uniform_address(r, 24, 2);
}

/// One of the active lanes.
void elect(Reader& r) {
  if (r.bit(85))
    r.refuse("form of ELECT");
  r.predicate(81);
  r.uniform(16);
  r.sources();
  r.source_predicate(87);
}

void group_scoreboard(Reader& r, unsigned number) {
  r.immediate(0).kind = OperandKind::group_scoreboard;
  r.last().number = static_cast<std::uint16_t>(number);
}

void warp_group(Reader& r) {
  r.choice(80, 2, {M::arrive, {M::depbar, M::le}});
  r.sources();
  if (!r.bit(80))
    return;
  group_scoreboard(r, static_cast<unsigned>(r.field(44, 3)));
  r.immediate(r.field(38, 6));
}

constexpr unsigned widths = 32;
constexpr std::array<M, widths> shapes(M first) {
  std::array<M, widths> all{};
  for (unsigned n = 0; n < widths; ++n)
    all[n] = static_cast<M>(static_cast<unsigned>(first) + n);
  return all;
}

/// 64 rows of A from registers or by a descriptor, 8 to 256 columns of B by a descriptor, sums in registers.
void group_product(Reader& r) {
  static constexpr auto halves = shapes(M::w64x8x16), words = shapes(M::w64x8x8);
  constexpr unsigned sums_in_halves = 4, sums_in_words = 2, a_in_registers = 6;
  if (r.bit(73) || r.bit(59) || r.bit(60)) {
    r.refuse("form of HGMMA");
    return;
  }
  const auto columns = (r.field(53, 5) + 1) * 8;
  const auto sums = static_cast<std::uint8_t>(columns / (r.bit(75) ? sums_in_words : sums_in_halves));
  r.word((r.bit(58) ? words : halves)[r.field(53, 5)]);
  r.word(r.bit(75) ? M::f32 : M::f16);
  r.choice(76, 2, {{}, M::bf16, M::tf32});
  r.general(16, {sums});
  r.sources();
  const bool from_registers = r.form() == a_in_registers;
  if (from_registers)
    r.a({4});
  Operand& descriptor =
      r.uniform(from_registers ? 32 : 24, {static_cast<std::uint8_t>(from_registers ? 2 : 4)});
  descriptor.kind = OperandKind::matrix_descriptor;
  for (const auto& [bit, word] : {std::pair{61U, M::tnspa}, {62U, M::tnspb}, {72U, M::nega}, {63U, M::negb}})
    if (r.bit(bit))
      descriptor.suffixes.push_back(word);
  r.general(64, {sums});
  complement_predicate(r, 87);
  r.last().kind = OperandKind::uniform_predicate;
  constexpr unsigned none = 7;
  if (r.field(84, 3) != none)
    group_scoreboard(r, static_cast<unsigned>(r.field(84, 3)));
}

/// Shared memory as the copy engine sees it.
void view_fence(Reader& r) {
  r.choice(72, 8, {{M::view, M::async, M::s}});
}

void nothing(Reader&) {}

constexpr unsigned from = 90, until = 90; ///< later targets word some of these otherwise
constexpr Row rows[] = {
    {0x02f, Opcode::elect, elect, from},
    {0x1a7, Opcode::syncs, barrier_in_memory, from, until},
    {0x1b2, Opcode::syncs, barrier_begin, from, until},
    {0x1b4, Opcode::utmaldg, tile_copy, from, until},
    {0x1b5, Opcode::utmastg, tile_copy, from, until},
    {0x1b7, Opcode::utmacmdflush, nothing, from},
    {0x1ba, Opcode::ublkcp, bulk_copy, from, until},
    {0x1c6, Opcode::fence, view_fence, from, until},
    {0x1c5, Opcode::warpgroup, warp_group, from, until},
    {0x1f0, Opcode::hgmma, group_product, from, until},
};

} // namespace

std::span<const Row> asynchronous_rows() {
  return rows;
}

} // namespace forewarp::sass
