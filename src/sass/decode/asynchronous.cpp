// From sm_90 on: barriers in shared memory, bulk copies and tiles by tensor maps, products of a warp group.
// Fields as nvdisasm words them when one bit at a time is turned over in instructions of our own kernels.
#include "sass/decode/address.h"

#include <array>

namespace forewarp::sass {
namespace {

using M = Modifier;

/// Where SYNCS and ARRIVES say what they do: later targets have eight bits of a uniform register before it.
unsigned use_field(const Reader& r) {
  return r.sm() >= 100 ? 76 : 70;
}

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
  r.choice(use_field(r), 2, {{M::arrive, M::trans64}});
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
  r.choice(use_field(r), 2, {refused, {M::phasechk, M::trans64}});
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

/// It ends: nobody may use it further.
void barrier_end(Reader& r) {
  r.word(M::cctl);
  r.word(M::iv);
  r.sources();
  barrier_address(r);
}

/// The lane's copies will be heard of: as an arrival that the barrier counts on, or one more.
void barrier_hears_of_copies(Reader& r) {
  if (r.field(72, 4) != 10)
    r.refuse("form of ARRIVES");
  r.word(M::ldgstsbar);
  r.word(M::w64);
  r.choice(use_field(r), 2, {refused, M::arvcnt, M::transcnt});
  r.sources();
  barrier_address(r);
}

/// How L2 is to keep what is copied.
void cache_policy(Reader& r) {
  if (r.bit(76))
    r.uniform(40, {2}).kind = OperandKind::cache_policy;
}

/// [to], [from], size: to shared memory the first is a pair of address and barrier; a global address is 64
/// bits. The size counts 16 bytes in the lower half of its word; the upper half has the cluster's groups.
void bulk_copy(Reader& r) {
  r.uniform_guard();
  const auto way = r.field(73, 2);
  constexpr unsigned in = 1;
  r.choice(73, 2, {refused, {M::s, M::g}, {M::g, M::s}, {M::s, M::s}});
  r.choice(75, 1, {{}, M::multicast});
  r.choice(81, 2, {{}, M::ltc64b, M::ltc128b});
  if (r.bit(83))
    r.refuse("order of UBLKCP");
  r.sources();
  uniform_address(r, 32, 2);
  uniform_address(r, 24, way == in ? 2 : 1);
  r.uniform(64);
  cache_policy(r);
}

unsigned dimensions(Reader& r) {
  r.choice(79, 3, {M::w1d, M::w2d, M::w3d, M::w4d, M::w5d});
  return static_cast<unsigned>(r.field(79, 3) + 1);
}

/// [shared address, barrier and coordinates], [tensor map]; outwards without the barrier.
void tile_copy(Reader& r) {
  r.uniform_guard();
  const unsigned count = dimensions(r);
  const bool in = r.instruction().opcode == Opcode::utmaldg;
  if (r.bit(82))
    r.refuse("form of a copy by a tensor map");
  r.flag(75, M::multicast);
  r.sources();
  uniform_address(r, 32, static_cast<std::uint8_t>(count + (in ? 2 : 1)));
  uniform_address(r, 24, 2);
  if (r.bit(75))
    r.uniform(64);
  cache_policy(r);
}

/// Into L2: a piece of memory, or a tile: [coordinates], [tensor map].
void bulk_prefetch(Reader& r) {
  r.uniform_guard();
  r.word(M::l2);
  r.sources();
  uniform_address(r, 24, 2);
  r.uniform(64);
  cache_policy(r);
}

void tile_prefetch(Reader& r) {
  r.uniform_guard();
  r.word(M::l2);
  const unsigned count = dimensions(r);
  if (r.bit(82))
    r.refuse("form of a prefetch by a tensor map");
  r.sources();
  // The coordinates stand behind two registers that are not used.
  uniform_address(r, 32, static_cast<std::uint8_t>(count + 2));
  uniform_address(r, 24, 2);
  cache_policy(r);
}

/// What the copy engine keeps of a tensor map.
void map_cache(Reader& r) {
  r.uniform_guard();
  r.choice(82, 1, {M::iv, M::pf});
  r.sources();
  uniform_address(r, 24, 2);
}

/// Barrier of a cluster.
void cluster_barrier(Reader& r) {
  r.uniform_guard();
  constexpr unsigned arrives = 4, waits = 6;
  if (r.form() == waits)
    r.instruction().opcode = Opcode::ucgabar_wait;
  else if (r.form() != arrives)
    r.refuse("form of UCGABAR");
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
  r.immediate(r.field(72, 3));
}

constexpr unsigned widths = 32;
constexpr std::array<M, widths> shapes(M first) {
  std::array<M, widths> all{};
  for (unsigned n = 0; n < widths; ++n)
    all[n] = static_cast<M>(static_cast<unsigned>(first) + n);
  return all;
}
constexpr auto shapes_of_halves = shapes(M::w64x8x16), shapes_of_words = shapes(M::w64x8x8),
               shapes_of_bytes = shapes(M::w64x8x32);

constexpr unsigned a_in_registers = 6, columns_of_sums = 4; ///< of a row of B in a group's 128 lanes

/// Sums, A from registers or by a descriptor with B's, sums before, whether these count, who waits.
void product_operands(Reader& r, std::uint8_t sums) {
  r.general(16, {sums});
  r.sources();
  const bool from_registers = r.form() == a_in_registers;
  if (from_registers)
    r.a({4});
  Operand& descriptor =
      r.uniform(from_registers ? 32 : 24, {static_cast<std::uint8_t>(from_registers ? 2 : 4)});
  descriptor.kind = OperandKind::matrix_descriptor;
  if (r.instruction().opcode != Opcode::igmma)
    for (const auto& [bit, word] :
         {std::pair{61U, M::tnspa}, {62U, M::tnspb}, {72U, M::nega}, {63U, M::negb}})
      if (r.bit(bit))
        descriptor.suffixes.push_back(word);
  r.general(64, {sums});
  complement_predicate(r, 87);
  r.last().kind = OperandKind::uniform_predicate;
  constexpr unsigned none = 7;
  if (r.field(84, 3) != none)
    group_scoreboard(r, static_cast<unsigned>(r.field(84, 3)));
}

/// Columns of B from their field, in eights but one.
std::uint8_t sums_of(Reader& r) {
  const auto words = static_cast<std::uint8_t>((r.field(53, 5) + 1) * columns_of_sums);
  r.word(r.bit(75) ? M::f32 : M::f16);
  return r.bit(75) ? words : static_cast<std::uint8_t>(words / 2);
}

/// 64 rows of A, 8 to 256 columns of B: of halves or words.
void group_product(Reader& r) {
  if (r.bit(73) || r.bit(59) || r.bit(60))
    return r.refuse("form of HGMMA");
  r.word((r.bit(58) ? shapes_of_words : shapes_of_halves)[r.field(53, 5)]);
  const std::uint8_t sums = sums_of(r);
  r.choice(76, 2, {{}, M::bf16, M::tf32});
  product_operands(r, sums);
}

void group_product_of_small_floats(Reader& r) {
  if (r.field(58, 3) != 0 || r.bit(73))
    return r.refuse("form of QGMMA");
  r.word(shapes_of_bytes[r.field(53, 5)]);
  const std::uint8_t sums = sums_of(r);
  r.choice(76, 1, {M::e4m3, M::e5m2});
  r.choice(77, 1, {M::e4m3, M::e5m2});
  product_operands(r, sums);
}

/// Three steps of the field are 8 columns up to 32, then 16.
void group_product_of_bytes(Reader& r) {
  constexpr unsigned steps = 3, fine = 3, most = 17;
  const auto step = r.field(53, 6) / steps;
  if (r.field(53, 6) % steps != 0 || step > most || r.bit(73) || r.field(59, 2) != 0)
    return r.refuse("form of IGMMA");
  const auto eights = static_cast<unsigned>(step < fine ? step + 1 : 2 * (step - 1));
  r.word(shapes_of_bytes[eights - 1]);
  r.choice(76, 1, {M::u8, M::s8});
  r.choice(82, 1, {M::u8, M::s8});
  r.flag(75, M::sat);
  product_operands(r, static_cast<std::uint8_t>(eights * columns_of_sums));
}

/// Memory as the copy engine sees it.
void view_fence(Reader& r) {
  r.word(M::view);
  r.word(M::async);
  r.choice(72, 8, {M::s, M::g});
}

void nothing(Reader&) {}

constexpr unsigned from = 90, last_with_groups = 90; ///< products of warp groups
constexpr Row rows[] = {
    {0x02f, Opcode::elect, elect, from},
    {0x1a7, Opcode::syncs, barrier_in_memory, from},
    {0x1b0, Opcode::arrives, barrier_hears_of_copies, from},
    {0x1b1, Opcode::syncs, barrier_end, from},
    {0x1b2, Opcode::syncs, barrier_begin, from},
    {0x1b4, Opcode::utmaldg, tile_copy, from},
    {0x1b5, Opcode::utmastg, tile_copy, from},
    {0x1b7, Opcode::utmacmdflush, nothing, from},
    {0x1b8, Opcode::utmapf, tile_prefetch, from},
    {0x1b9, Opcode::utmacctl, map_cache, from},
    {0x1ba, Opcode::ublkcp, bulk_copy, from},
    {0x1bc, Opcode::ublkpf, bulk_prefetch, from},
    {0x1c6, Opcode::fence, view_fence, from},
    {0x1c5, Opcode::warpgroup, warp_group, from, last_with_groups},
    {0x1c7, Opcode::ucgabar_arv, cluster_barrier, from},
    {0x1f0, Opcode::hgmma, group_product, from, last_with_groups},
    {0x1f1, Opcode::igmma, group_product_of_bytes, from, last_with_groups},
    {0x1f3, Opcode::qgmma, group_product_of_small_floats, from, last_with_groups},
};

} // namespace

std::span<const Row> asynchronous_rows() {
  return rows;
}

} // namespace forewarp::sass
