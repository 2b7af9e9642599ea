// Matrix instructions of a warp and their loads.
#include "sass/decode/address.h"

namespace forewarp::sass {
namespace {

using M = Modifier;

/// HMMA: shape at 75 and 78, accumulator at 76, input type at 82.
void hmma(Reader& r) {
  if (r.bit(73)) {
    r.refuse("sparse form");
    return;
  }
  const bool tall = r.bit(75);
  const bool small = r.bit(78);
  if (small && tall)
    r.refuse("shape");
  r.word(small ? M::w1684 : tall ? M::w16816 : M::w1688);
  r.word(r.bit(76) ? M::f32 : M::f16);
  r.choice(82, 2, {{}, M::bf16, M::tf32});
  const bool tf32 = r.field(82, 2) == 2;
  const unsigned a_registers = tf32 ? (small ? 2 : 4) : tall ? 4 : 2;
  const std::uint8_t accumulator = r.bit(76) ? 4 : 2;
  r.general(16, {accumulator});
  r.sources();
  r.a({static_cast<std::uint8_t>(a_registers), true});
  r.wide({static_cast<std::uint8_t>(a_registers / 2), true});
  r.c({accumulator});
  complement_predicate(r, 87);
  r.last().kind = OperandKind::uniform_predicate;
}

void imma(Reader& r) {
  const auto shape = r.field(85, 2) << 1 | r.field(75, 1);
  if (r.bit(72)) {
    r.refuse("sparse form");
    return;
  }
  static constexpr Words shapes[] = {M::w8816, M::w8832, refused, refused, M::w16816, M::w16832, M::w16864};
  static constexpr Words types[] = {M::u8, M::s8, M::u4, M::s4};
  r.choose(shape, shapes);
  r.choose(r.field(83, 1) << 1 | r.field(76, 1), types);
  r.choose(r.field(84, 1) << 1 | r.field(78, 1), types);
  r.flag(82, M::sat);
  const bool tall = shape >= 4;
  const auto a_registers = static_cast<std::uint8_t>(!tall ? 1 : shape == 4 ? 2 : 4);
  r.general(16, {static_cast<std::uint8_t>(tall ? 4 : 2)});
  r.sources();
  r.a({a_registers}).suffixes.push_back(M::row);
  r.wide({static_cast<std::uint8_t>(tall ? a_registers / 2 : 1)}).suffixes.push_back(M::col);
  r.c({static_cast<std::uint8_t>(tall ? 4 : 2)});
  complement_predicate(r, 87);
  r.last().kind = OperandKind::uniform_predicate;
}

void dmma(Reader& r) {
  r.word(r.sm() >= 90 ? M::w8x8x4 : M::w884);
  r.round();
  r.general(16, {4});
  r.sources();
  r.a({2, true});
  r.wide({2, true});
  r.c({4, true});
}

/// Matrices of 8 by 8 halves from shared memory.
void ldsm(Reader& r) {
  const auto count = r.field(72, 2);
  r.word(M::w16);
  r.choice(78, 2, {M::m88, M::mt88});
  r.choice(72, 2, {{}, M::w2, M::w4});
  r.general(16, {static_cast<std::uint8_t>(1U << count)});
  r.sources();
  window_address(r, 32, false);
}

void stsm(Reader& r) {
  const auto count = r.field(72, 2);
  r.word(M::w16);
  r.choice(78, 2, {M::m88, M::mt88});
  r.choice(72, 2, {{}, M::w2, M::w4});
  r.sources();
  window_address(r, 64, false);
  r.general(32, {static_cast<std::uint8_t>(1U << count)});
}

void nothing(Reader&) {}

constexpr Row tensor_row_list[] = {
    {0x037, Opcode::imma, imma}, {0x03b, Opcode::ldsm, ldsm},     {0x03c, Opcode::hmma, hmma},
    {0x03f, Opcode::dmma, dmma}, {0x044, Opcode::stsm, stsm, 90}, {0x1af, Opcode::ldgdepbar, nothing},
};

} // namespace

std::span<const Row> tensor_rows() {
  return tensor_row_list;
}

} // namespace forewarp::sass
