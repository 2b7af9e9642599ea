#include "simt/exec/matrices/product.h"

#include "simt/exec/matrices/layouts.h"
#include "simt/exec/matrices/numbers.h"

namespace forewarp::simt {

bool Product::is_known_anywhere(std::size_t first, std::size_t count) const {
  for (std::size_t i = first; i < first + count; ++i)
    if ((state_.known(op_.operands[i]) & state_.active) != 0)
      return true;
  return false;
}

/// Most products are of factors that nobody gave: none.
std::optional<NumberMatrix> Product::factor(bool is_a) const {
  const MatrixOp::Factor& of = is_a ? op_.a : op_.b;
  const std::size_t first = is_a ? op_.first_of_a() : op_.first_of_b();
  if (!is_known_anywhere(first, of.slots))
    return std::nullopt;
  if (!of.in_memory) {
    NumberMatrix made = factor_in_registers(state_, op_, is_a);
    if (is_a && op_.is_sparse)
      spread(made);
    if (op_.scales.of_row > 0)
      scale(made, is_a);
    return made;
  }
  constexpr unsigned rows_of_warp = 16, warps = 4;
  const auto at = MatrixDescriptor::of_warpgroup(state_.lane_bits(op_.operands[first], LaneType::quad, 0));
  if (!at)
    return std::nullopt;
  const bool sparse = is_a && op_.is_sparse;
  NumberMatrix made = factor_in_memory(state_, *at, of, is_a ? state_.warp->index % warps * rows_of_warp : 0,
                                       is_a ? op_.m : op_.n, sparse ? op_.k / 2 : op_.k);
  if (sparse)
    spread(made);
  return made.any_known() ? std::optional(std::move(made)) : std::nullopt;
}

/// PTX ISA, "Sparse matrix storage" and the fragments of mma.sp: four bits a chunk of four units of 16 or 8
/// bits, of pairs of 4 bits, or of halves of a tf32, two of which are there. A lane has those of four chunks
/// of row g of its four, and above them those of row g + 8.
void Product::spread(NumberMatrix& a) const {
  constexpr unsigned chunks_of_lane = 4;
  const bool of_pairs = bits_of(op_.a.element) == 4, of_halves = op_.a.element == MatrixOp::Element::tf32;
  const unsigned chunk = of_pairs ? 8 : of_halves ? 2 : 4, kept = chunk / 2;
  const std::size_t lanes_of_row = op_.k / chunk / chunks_of_lane;
  const std::int32_t slot = op_.operands[op_.first_sum() + op_.results.size()];
  const NumberMatrix stored = a;
  a.depth = op_.k;
  a.numbers.assign(a.known.size() * a.depth, 0);
  for (std::size_t row = 0; row < a.known.size(); ++row)
    for (std::size_t c = 0; c < a.depth / chunk; ++c) {
      const auto lane =
          static_cast<unsigned>(4 * (row % 8) + op_.metadata_lane * lanes_of_row + c / chunks_of_lane);
      if (lane >= state_.lanes() || (state_.known(slot) >> lane & 1) == 0) {
        a.known[row] = false;
        continue;
      }
      const std::uint64_t places =
          state_.lane_bits(slot, LaneType::word, lane) >> (16 * (row / 8) + 4 * (c % chunks_of_lane));
      for (std::size_t i = 0; i < kept; ++i) {
        const std::size_t index = of_pairs ? i / 2 : i, unit = places >> (2 * index) & 3U;
        const std::size_t place = of_pairs ? 2 * unit + i % 2 : of_halves ? unit / 2 : unit;
        a.numbers[row * a.depth + chunk * c + place] = stored.row(row)[kept * c + i];
      }
    }
}

/// PTX ISA, "Block scaling": of A's pair of lanes the first has row g, the second row g + 8; of B a lane has
/// column g.
void Product::scale(NumberMatrix& factor, bool is_a) const {
  const MatrixOp::Scales& scales = op_.scales;
  const std::int32_t slot = op_.operands[op_.operands.size() - (is_a ? 2 : 1)];
  const std::size_t part = factor.depth / scales.of_row;
  const std::uint64_t code_mask =
      scales.element == MatrixOp::Element::e4m3 ? 0x7F : 0xFF; // ue4m3 has no sign
  for (std::size_t row = 0; row < factor.known.size(); ++row) {
    const auto lane =
        static_cast<unsigned>(4 * (row % 8) + (is_a ? 2 * scales.lane_a + row / 8 : scales.lane_b));
    if (lane >= state_.lanes() || (state_.known(slot) >> lane & 1) == 0) {
      factor.known[row] = false;
      continue;
    }
    const std::uint64_t bytes =
        state_.lane_bits(slot, LaneType::word, lane) >> (8 * (is_a ? scales.byte_a : scales.byte_b));
    for (std::size_t k = 0; k < part * scales.of_row; ++k)
      factor.numbers[row * factor.depth + k] *=
          number_of(scales.element, bytes >> (8 * (k / part)) & code_mask);
  }
}

bool Product::adds(unsigned lane) const {
  return op_.onto == MatrixOp::Onto::sums ||
         (op_.onto == MatrixOp::Onto::by_flag &&
          state_.lane_bits(op_.operands.front(), LaneType::bit, lane) != 0);
}

void Product::put(std::size_t result, const NumberMatrix& a, const NumberMatrix& b) {
  const std::int32_t from = op_.operands[op_.first_sum() + result], to = op_.results[result];
  const unsigned bits = bits_of(op_.sum), of_slot = op_.sum_slot_bits / bits;
  const LaneType type = op_.sum_slot_bits == 64 ? LaneType::quad : LaneType::word;
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t from_known = state_.known(from);
  std::uint64_t known = 0;
  for (unsigned lane = 0; lane < state_.lanes(); ++lane) {
    const bool onto_sums = adds(lane), sum_known = (from_known >> lane & 1) != 0;
    const std::uint64_t before = state_.lane_bits(from, type, lane);
    bool is_known = !onto_sums || sum_known;
    std::uint64_t made = 0;
    for (unsigned e = 0; e < of_slot && is_known; ++e) {
      const MatrixPlace place =
          place_of_sum(op_, lane, static_cast<unsigned>(result) * of_slot + e, state_.lanes());
      const std::uint64_t sum = before >> (e * bits) & mask;
      if (!place.is_held) {
        is_known = op_.keeps_other_half && sum_known;
        made |= sum << (e * bits);
        continue;
      }
      is_known =
          place.row < a.known.size() && place.at < b.known.size() && a.known[place.row] && b.known[place.at];
      if (is_known)
        made |= sum_of(op_, a.row(place.row), b.row(place.at), onto_sums ? sum : 0) << (e * bits);
    }
    known |= std::uint64_t{is_known} << lane;
    if (is_known)
      state_.set_lane_bits(to, type, lane, made);
  }
  state_.known(to) = known;
}

void Product::multiply() {
  std::optional<NumberMatrix> a, b;
  if (op_.onto != MatrixOp::Onto::by_flag ||
      (state_.known(op_.operands.front()) & state_.active) == state_.active) {
    a = factor(true);
    b = a ? factor(false) : std::nullopt;
  }
  for (std::size_t i = 0; i < op_.results.size(); ++i)
    if (b)
      put(i, *a, *b);
    else
      state_.known(op_.results[i]) = 0;
}

} // namespace forewarp::simt
