// Loads and stores: global, generic, shared, local, constant.
#include "sass/decode/address.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

constexpr Words sizes[] = {M::u8, M::s8, M::u16, M::s16, {}, M::w64, M::w128};

unsigned registers_of(std::uint64_t size) {
  return size == 5 ? 2 : size == 6 ? 4 : 1;
}

constexpr Words caching[] = {M::ef, {}, M::el, M::lu, M::eu, M::na};

/// Order and scope of a load (bits 77 to 80); a store differs in one value.
void ordering(Reader& r, bool is_load) {
  static constexpr Words words[] = {{},
                                    {M::constant, M::private_},
                                    {M::constant, M::cta},
                                    {M::constant, M::cta, M::private_},
                                    {M::strong, M::sm, M::private_},
                                    {M::strong, M::sm},
                                    {M::strong, M::gpu, M::private_},
                                    {M::strong, M::gpu},
                                    {M::mmio, M::gpu},
                                    {M::constant, M::sm},
                                    {M::strong, M::sys},
                                    {M::constant, M::sm, M::private_},
                                    {M::mmio, M::sys},
                                    {M::constant, M::vc},
                                    {M::constant, M::vc, M::private_},
                                    {M::constant, M::gpu}};
  if (r.sm() < 80)
    turing_order(r);
  else if (is_load && r.field(77, 4) == 4)
    r.word(M::constant);
  else
    r.choose(r.field(77, 4), words);
}

} // namespace

void global_address(Reader& r, GlobalPlaces places) {
  Operand& operand = r.immediate(0);
  operand.kind = OperandKind::address;
  Address& address = operand.address;
  address.base = static_cast<std::uint16_t>(r.field(24, 8));
  address.has_base = true;
  operand.reuse = (r.instruction().control.reuse & 1) != 0;
  address.base_width = r.bit(72) ? 2 : 1;
  const bool narrow_offset =
      places.always_descriptor_from != 0 && r.sm() >= places.always_descriptor_from && places.pair_at == 70;
  address.offset = static_cast<std::int32_t>(r.signed_field(40, narrow_offset ? 23 : 24));
  if (!r.bit(91))
    return;
  // The uniform pair is added to the base, or is the descriptor of the memory (which the listing shows by bit
  // 101).
  address.shows_width = true;
  if (!r.bit(places.descriptor_at) &&
      !(places.always_descriptor_from != 0 && r.sm() >= places.always_descriptor_from)) {
    address.has_uniform = true;
    address.uniform = r.uniform_number(places.uniform_at);
    address.uniform_width = 2;
    address.base_unsigned = places.pair_at >= 0 && !r.bit(static_cast<unsigned>(places.pair_at));
    if (address.base_unsigned)
      address.base_width = 1;
  } else {
    address.has_descriptor = r.sm() >= 90 || r.bit(101);
    address.descriptor = r.uniform_number(places.uniform_at);
  }
}

void window_address(Reader& r, unsigned uniform_at, bool scaled) {
  Operand& operand = r.immediate(0);
  operand.kind = OperandKind::address;
  Address& address = operand.address;
  address.base = static_cast<std::uint16_t>(r.field(24, 8));
  address.has_base = true;
  operand.reuse = (r.instruction().control.reuse & 1) != 0;
  address.offset = static_cast<std::int32_t>(r.signed_field(40, 24));
  if (scaled) {
    static constexpr std::uint8_t scales[] = {1, 4, 8, 16};
    address.scale = scales[r.field(78, 2)];
  }
  if (r.bit(91)) {
    address.has_uniform = true;
    address.uniform = r.uniform_number(uniform_at);
  }
}

void complement_predicate(Reader& r, unsigned at) {
  Operand& operand = r.source_predicate(at);
  operand.number = static_cast<std::uint16_t>(true_predicate - operand.number);
  operand.shown = r.field(at, 4) != 0;
}

void turing_order(Reader& r) {
  r.choice(79, 2, {Modifier::constant, {}, Modifier::strong, Modifier::mmio});
  r.choice(77, 2, {Modifier::cta, Modifier::sm, Modifier::gpu, Modifier::sys});
}

namespace {

void load_global(Reader& r) {
  r.flag(72, M::e);
  r.choose(r.field(84, 3), caching);
  r.choice(68, 2, {{}, M::ltc64b, M::ltc128b, M::ltc256b});
  r.choose(r.field(73, 3), sizes);
  ordering(r, true);
  const bool is_global = r.instruction().opcode == Opcode::ldg;
  if (is_global)
    r.predicate(81, false);
  r.general(16, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  r.sources();
  global_address(r, load_places);
  if (is_global)
    complement_predicate(r, 64);
}

void store_global(Reader& r) {
  r.flag(72, M::e);
  r.choose(r.field(84, 3), caching);
  r.choose(r.field(73, 3), sizes);
  ordering(r, false);
  // ST of sm_75 without uniform register has the data in the third place.
  const bool generic_without_uniform = r.instruction().opcode == Opcode::st && r.form() == 1;
  r.sources();
  global_address(r, store_places);
  Operand& data =
      r.general(generic_without_uniform ? 64 : 32, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  data.reuse = (r.instruction().control.reuse >> 1 & 1) != 0;
}

void load_shared(Reader& r) {
  if (r.sm() < 80)
    r.flag(76, M::u);
  r.choose(r.field(73, 3), sizes);
  r.general(16, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  r.sources();
  window_address(r, 32, true);
}

void store_shared(Reader& r) {
  r.choose(r.field(73, 3), sizes);
  r.sources();
  window_address(r, 64, true);
  Operand& data = r.general(32, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  data.reuse = (r.instruction().control.reuse >> 1 & 1) != 0;
}

void load_local(Reader& r) {
  r.choose(r.field(84, 3), caching);
  r.choose(r.field(73, 3), sizes);
  r.general(16, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  r.sources();
  window_address(r, 32, false);
}

void store_local(Reader& r) {
  r.choose(r.field(84, 3), caching);
  r.choose(r.field(73, 3), sizes);
  r.sources();
  window_address(r, 64, false);
  Operand& data = r.general(32, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  data.reuse = (r.instruction().control.reuse >> 1 & 1) != 0;
}

/// c[bank][R + imm].
void load_constant(Reader& r) {
  r.choice(78, 2, {{}, M::il, M::is, M::isl});
  r.choose(r.field(73, 3), sizes);
  r.general(16, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  r.sources();
  const auto base = static_cast<std::uint16_t>(r.field(24, 8));
  Operand& operand = r.constant(registers_of(r.field(73, 3)));
  operand.address.base = base;
  operand.address.offset = static_cast<std::int32_t>(r.signed_field(38, 16));
  operand.address.has_base = true;
}

void uniform_load_constant(Reader& r) {
  r.choose(r.field(73, 3), sizes);
  r.uniform(16, {static_cast<std::uint8_t>(registers_of(r.field(73, 3)))});
  r.sources();
  r.uniform_guard();
  const bool indexed = r.field(0, 9) == 0x0bb;
  if (r.bit(91) && !indexed)
    r.refuse("bindless constant bank");
  Operand& from = r.constant(registers_of(r.field(73, 3)));
  if (indexed) {
    from.address.has_uniform = true;
    from.address.uniform = r.uniform_number(24);
  }
}

/// Global memory to shared memory past the registers: [shared], [global].
void ldgsts(Reader& r) {
  if (r.sm() >= 100) {
    r.refuse("form of sm_100 and later");
    return;
  }
  r.word(M::e);
  if (!r.bit(81))
    r.word(M::bypass);
  r.choose(r.field(84, 3), caching);
  r.choice(70, 2, {{}, {}, M::ltc64b, M::ltc128b});
  r.choose(r.field(73, 3), sizes);
  r.flag(82, M::zfill);
  if (r.field(77, 4) != 0)
    r.refuse("order of LDGSTS");
  r.sources();
  Operand& to = r.immediate(0);
  to.kind = OperandKind::address;
  to.address.base = static_cast<std::uint16_t>(r.field(16, 8));
  to.address.has_base = true;
  to.address.offset = static_cast<std::int32_t>(r.signed_field(44, 20));
  global_address(r, copy_places);
  Address& from = r.last().address;
  from.offset = static_cast<std::int32_t>(r.signed_field(32, 12));
  if (!from.base_unsigned) // 64 bits always (.E): its bit stands elsewhere
    from.base_width = 2;
  r.source_predicate(87).shown = r.field(87, 4) != true_predicate;
}

/// c[bank][UR + imm] into uniform registers; the offset has 17 bits from 37 on.
void ldcu(Reader& r) {
  r.choose(r.field(73, 3), sizes);
  const unsigned width = registers_of(r.field(73, 3));
  r.uniform(16, {static_cast<std::uint8_t>(width)});
  r.sources();
  r.uniform_guard();
  Operand& from = r.constant(width);
  from.address.offset = static_cast<std::int32_t>(r.field(37, 17));
  from.address.uniform = r.uniform_number(24);
  from.address.has_uniform = from.address.uniform != zero_register || from.address.offset == 0;
}

constexpr Row memory_row_list[] = {
    {0x1ac, Opcode::ldcu, ldcu, 100},
    {0x0b9, Opcode::uldc, uniform_load_constant, 75, 90},
    {0x0bb, Opcode::uldc, uniform_load_constant, 75, 90},
    {0x181, Opcode::ldg, load_global},
    {0x182, Opcode::ldc, load_constant},
    {0x183, Opcode::ldl, load_local},
    {0x184, Opcode::lds, load_shared},
    {0x180, Opcode::ld, load_global},
    {0x185, Opcode::st, store_global},
    {0x186, Opcode::stg, store_global},
    {0x187, Opcode::stl, store_local},
    {0x188, Opcode::sts, store_shared},
    {0x1ae, Opcode::ldgsts, ldgsts},
};

} // namespace

std::span<const Row> memory_rows() {
  return memory_row_list;
}

} // namespace forewarp::sass
