#include "simt/exec/matrices/fragments.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace forewarp::simt {
namespace {

#include "simt/lanes/lane_formats.inc"

using Element = MatrixOp::Element;
constexpr unsigned lanes = 32, lanes_of_row = 4;

/// Elements of a factor in a register; one of f64 is a register of its own here.
unsigned in_register(Element element) {
  switch (element) {
  case Element::f16:
  case Element::bf16:
    return 2;
  case Element::s8:
  case Element::u8:
    return 4;
  case Element::s4:
  case Element::u4:
    return 8;
  case Element::b1:
    return 32;
  default:
    return 1;
  }
}

/// The same in a slot: LLVM passes halves one by one.
unsigned in_slot(Element element) {
  return element == Element::f16 ? 1 : in_register(element);
}

unsigned bits_of(Element element) {
  return 32 / in_register(element);
}

double number_of(Element element, std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  switch (element) {
  case Element::f16:
    return half_to_float(word & 0xFFFFU);
  case Element::bf16:
    return std::bit_cast<float>(word << 16);
  case Element::tf32: // 10 bits of mantissa: the others are not read
    return std::bit_cast<float>(word & 0xFFFFE000U);
  case Element::f64:
    return std::bit_cast<double>(bits);
  case Element::s8:
    return static_cast<std::int8_t>(word);
  case Element::s4:
    return static_cast<std::int32_t>(word << 28) >> 28;
  default:
    return word;
  }
}

} // namespace

Fragments::Fragments(const MatrixOp& op)
    : op_(op), slots_of_a_(op.m * op.k / lanes / in_slot(op.a)),
      slots_of_b_(op.k * op.n / lanes / in_slot(op.b)) {}

/// Lane 4 g + q holds, of p elements a register, in register w of A those from k = p q on (and 4 p further
/// for every register of the same row before it) of row g, or g + 8 in every second register of 16 rows; of B
/// those of column g.
Fragments::Factor Fragments::gather(const GroupState& state, bool is_a) const {
  const Element element = is_a ? op_.a : op_.b;
  const unsigned rows = is_a ? op_.m : op_.n, per_register = in_register(element),
                 per_slot = in_slot(element);
  const unsigned halves = rows / 8, bits = element == Element::f64 ? 64 : bits_of(element);
  const std::size_t first = is_a ? 0 : slots_of_a_, count = is_a ? slots_of_a_ : slots_of_b_;
  Factor factor{.numbers = std::vector<double>(std::size_t{rows} * op_.k), .known = {}};
  factor.known.assign(rows, true);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t slot = op_.operands[first + i];
    const LaneType type = element == Element::f64 ? LaneType::quad : LaneType::word;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const std::uint64_t held = state.lane_bits(slot, type, lane);
      for (unsigned e = 0; e < per_slot; ++e) {
        const auto index = static_cast<unsigned>(i * per_slot + e), of_register = index / per_register;
        const unsigned row = lane / lanes_of_row + 8 * (of_register % halves);
        const unsigned k = lane % lanes_of_row * per_register +
                           lanes_of_row * per_register * (of_register / halves) + index % per_register;
        const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
        factor.numbers[std::size_t{row} * op_.k + k] = number_of(element, held >> (e * bits % 64) & mask);
        factor.known[row] = factor.known[row] && (state.known(slot) >> lane & 1) != 0;
      }
    }
  }
  return factor;
}

double Fragments::sum_of_floats(const Factor& a, const Factor& b, unsigned row, unsigned column,
                                double sum) const {
  const double *x = &a.numbers[std::size_t{row} * op_.k], *y = &b.numbers[std::size_t{column} * op_.k];
  if (op_.sum == Element::f64) {
    for (unsigned k = 0; k < op_.k; ++k)
      sum = std::fma(x[k], y[k], sum);
    return sum;
  }
  auto single = static_cast<float>(sum);
  for (unsigned k = 0; k < op_.k; ++k)
    single = std::fma(static_cast<float>(x[k]), static_cast<float>(y[k]), single);
  return single;
}

std::int64_t Fragments::sum_of_integers(const Factor& a, const Factor& b, unsigned row, unsigned column,
                                        std::int32_t sum) const {
  const double *x = &a.numbers[std::size_t{row} * op_.k], *y = &b.numbers[std::size_t{column} * op_.k];
  std::int64_t made = sum;
  for (unsigned k = 0; k < op_.k; ++k) {
    const bool of_bits = op_.a == Element::b1;
    const auto left = static_cast<std::int64_t>(x[k]), right = static_cast<std::int64_t>(y[k]);
    made += of_bits && !op_.counts_and ? left ^ right : left * right;
  }
  return op_.saturates ? std::clamp<std::int64_t>(made, std::numeric_limits<std::int32_t>::min(),
                                                  std::numeric_limits<std::int32_t>::max())
                       : made;
}

std::uint64_t Fragments::sum_of(const Factor& a, const Factor& b, unsigned row, unsigned column,
                                std::uint64_t sum) const {
  const auto word = static_cast<std::uint32_t>(sum);
  switch (op_.a) {
  case Element::f16:
  case Element::bf16:
  case Element::tf32:
    if (op_.sum == Element::f16)
      return to_half(static_cast<float>(sum_of_floats(a, b, row, column, half_to_float(word & 0xFFFFU))));
    return std::bit_cast<std::uint32_t>(
        static_cast<float>(sum_of_floats(a, b, row, column, std::bit_cast<float>(word))));
  case Element::f64:
    return std::bit_cast<std::uint64_t>(sum_of_floats(a, b, row, column, std::bit_cast<double>(sum)));
  default:
    return static_cast<std::uint32_t>(sum_of_integers(a, b, row, column, static_cast<std::int32_t>(word)));
  }
}

/// Sums: columns 2 q and 2 q + 1 of row g, then of row g + 8.
void Fragments::multiply(const GroupState& state) const {
  const Factor a = gather(state, true), b = gather(state, false);
  const LaneType type = op_.sum == Element::f64 ? LaneType::quad : LaneType::word;
  for (std::size_t i = 0; i < op_.results.size(); ++i) {
    const std::int32_t from = op_.operands[factor_slots() + i], to = op_.results[i];
    const std::uint64_t from_known = state.known(from);
    std::uint64_t known = 0;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const auto row = static_cast<unsigned>(lane / lanes_of_row + 8 * (i / 2));
      const auto column = static_cast<unsigned>(lane % lanes_of_row * 2 + i % 2);
      const bool is_known = a.known[row] && b.known[column] && (from_known >> lane & 1) != 0;
      known |= std::uint64_t{is_known} << lane;
      if (is_known)
        state.set_lane_bits(to, type, lane, sum_of(a, b, row, column, state.lane_bits(from, type, lane)));
    }
    state.known(to) = known;
  }
}

} // namespace forewarp::simt
