// Atomic operations, reductions, fences and cache control.
#include "sass/decode/address.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

constexpr Words operations[] = {M::add,  M::min, M::max,  M::inc,  M::dec,
                                M::and_, M::or_, M::xor_, M::exch, M::safeadd};

/// Type at 73: its words, and how many registers a value has.
struct Type {
  Words words;
  std::uint8_t registers;
};
constexpr Type types[] = {
    {{}, 1},     {M::s32, 1},         {M::w64, 2}, {{M::f32, M::ftz, M::rn}, 1}, {{M::f16x2, M::rn}, 1},
    {M::s64, 2}, {{M::f64, M::rn}, 2}};
/// From sm_90 on floating-point types have opcodes of their own.
constexpr Type integer_types[] = {{{}, 1}, {M::s32, 1}, {M::w64, 2}, {M::s64, 2}};
constexpr Type no_type = {refused, 1};
constexpr Type float_types[] = {{{M::f16x2, M::rn}, 1},
                                no_type,
                                no_type,
                                {{M::bf16x2, M::rn}, 1},
                                no_type,
                                no_type,
                                no_type,
                                no_type,
                                no_type,
                                {{M::f32, M::ftz, M::rn}, 1},
                                no_type,
                                {{M::f32x4, M::ftz, M::rn}, 4},
                                {{M::f32, M::rn}, 1},
                                no_type,
                                no_type,
                                {{M::f64, M::rn}, 2}};

const Type& type_of(Reader& r) {
  const auto number = r.field(0, 9);
  const bool floats = r.sm() >= 90 && (number == 0x1a2 || number == 0x1a3 || number == 0x1a6);
  std::span<const Type> list = types;
  if (r.sm() >= 90)
    list = floats ? std::span<const Type>(float_types) : std::span<const Type>(integer_types);
  const auto type = r.field(73, r.sm() >= 90 && !floats ? 3 : 4);
  if (type < list.size())
    return list[type];
  r.refuse("type " + std::to_string(type));
  return list[0];
}

constexpr Words caching[] = {M::ef, {}, M::el, M::lu, M::eu, M::na};

void ordering(Reader& r) {
  static constexpr Words words[] = {{},
                                    refused,
                                    refused,
                                    refused,
                                    refused,
                                    {M::strong, M::sm},
                                    refused,
                                    {M::strong, M::gpu},
                                    {M::mmio, M::gpu},
                                    refused,
                                    {M::strong, M::sys}};
  if (r.sm() < 80)
    turing_order(r);
  else
    r.choose(r.field(77, 4), words);
}

Style of_type(Reader& r) {
  return {type_of(r).registers};
}

void type_words(Reader& r) {
  const Words words[] = {type_of(r).words};
  r.choose(0, words);
}

void data(Reader& r, unsigned at, Style style, int reuse_bit) {
  Operand& operand = r.general(at, style);
  operand.reuse = (r.instruction().control.reuse >> reuse_bit & 1) != 0;
}

void red(Reader& r) {
  r.flag(72, M::e);
  r.choose(r.field(84, 3), caching);
  r.choose(r.field(87, 3), operations);
  type_words(r);
  ordering(r);
  r.sources();
  global_address(r, reduction_places);
  data(r, 32, of_type(r), 1);
}

void atomg(Reader& r) {
  r.flag(72, M::e);
  r.choose(r.field(84, 3), caching);
  // From sm_100 on bit 90 belongs to the address of floating-point types.
  const bool floats = r.sm() >= 100 && (r.field(0, 9) == 0x1a2 || r.field(0, 9) == 0x1a3);
  r.choose(r.field(87, floats ? 3 : 4), operations);
  type_words(r);
  ordering(r);
  r.predicate(81);
  r.general(16, of_type(r));
  r.sources();
  global_address(r, atomic_places);
  data(r, 32, of_type(r), 1);
}

/// Compare and swap: address, compare value, new value.
void atomg_cas(Reader& r) {
  r.flag(72, M::e);
  r.choose(r.field(84, 3), caching);
  r.word(M::cas);
  type_words(r);
  ordering(r);
  r.predicate(81);
  r.general(16, of_type(r));
  r.sources();
  global_address(r, atomic_places);
  data(r, 32, of_type(r), 1);
  data(r, 64, of_type(r), 2);
}

void atoms(Reader& r) {
  const bool counts_lanes = r.field(87, 4) == (r.sm() >= 90 ? 11U : 10U);
  if (counts_lanes) {
    r.word(M::popc);
    r.word(M::inc);
    r.choice(73, 2, {M::w32});
  } else {
    r.choose(r.field(87, 4), operations);
    r.choice(73, 2, {{}, M::s32, M::w64});
  }
  const Style style = {static_cast<std::uint8_t>(r.field(73, 2) == 2 ? 2 : 1)};
  r.general(16, style);
  r.sources();
  window_address(r, 64, true);
  if (!counts_lanes)
    data(r, 32, style, 1);
}

/// What tries once (CAST.SPIN) gives a predicate from sm_100 on.
void atoms_cas(Reader& r) {
  constexpr unsigned to_register = 1, to_predicate = 2;
  const bool tries = r.field(87, 4) == 3;
  if (r.form() != to_register && !(r.form() == to_predicate && tries && r.sm() >= 100)) {
    r.refuse("operand form " + std::to_string(r.form()));
    return;
  }
  if (tries) {
    r.word(M::cast);
    r.word(M::spin);
  } else {
    r.word(M::cas);
  }
  r.choice(73, 2, {{}, refused, M::w64});
  const Style style = {static_cast<std::uint8_t>(r.field(73, 2) == 2 ? 2 : 1)};
  if (r.form() == to_predicate)
    r.predicate(81);
  else
    r.general(16, style);
  r.sources();
  window_address(r, 64, true);
  data(r, 32, style, 1);
  data(r, 64, style, 2);
}

void membar(Reader& r) {
  r.choice(79, 2, {M::sc, M::all, {}, M::mmio});
  r.choice(76, 3, {M::cta, M::sm, M::gpu, M::sys, refused, M::vc});
}

void cctl(Reader& r) {
  r.choice(78, 2, {{}, M::u, M::c});
  const auto operation = r.field(87, 4);
  r.choice(87, 4,
           {M::pf1, M::pf2, M::wb, M::iv, M::ivall, M::rs, M::ivallp, M::wball, M::wballp, M::pml2, M::dml2,
            M::rml2});
  if (operation != 4 && operation != 6 && operation != 7 && operation != 8)
    global_address(r, load_places);
}

void errbar(Reader& r) {
  if (r.form() == 2)
    r.instruction().opcode = Opcode::cgaerrbar;
}

/// Generic address: is it shared memory?
void qspc(Reader& r) {
  r.flag(72, M::e);
  if (r.field(73, 3) != 2)
    r.refuse("space");
  r.word(M::s);
  r.predicate(81);
  r.general(16);
  r.sources();
  global_address(r, load_places);
}

constexpr Row atomic_row_list[] = {
    {0x18a, Opcode::atom, atomg},      {0x18b, Opcode::atom, atomg_cas},  {0x18c, Opcode::atoms, atoms},
    {0x18d, Opcode::atoms, atoms_cas}, {0x18e, Opcode::red, red, 75, 89}, {0x18e, Opcode::redg, red, 90},
    {0x18f, Opcode::cctl, cctl},       {0x192, Opcode::membar, membar},   {0x1a8, Opcode::atomg, atomg},
    {0x1a9, Opcode::atomg, atomg_cas}, {0x1aa, Opcode::qspc, qspc},       {0x1ab, Opcode::errbar, errbar},
    {0x1a2, Opcode::atom, atomg, 90},  {0x1a3, Opcode::atomg, atomg, 90}, {0x1a6, Opcode::redg, red, 90},
};

} // namespace

std::span<const Row> atomic_rows() {
  return atomic_row_list;
}

} // namespace forewarp::sass
