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
  if (!of.in_memory)
    return factor_in_registers(state_, op_, is_a);
  constexpr unsigned rows_of_warp = 16, warps = 4;
  const auto at = MatrixDescriptor::of_warpgroup(state_.lane_bits(op_.operands[first], LaneType::quad, 0));
  if (!at)
    return std::nullopt;
  NumberMatrix made = factor_in_memory(state_, *at, of, is_a ? state_.warp->index % warps * rows_of_warp : 0,
                                       is_a ? op_.m : op_.n, op_.k);
  return made.any_known() ? std::optional(std::move(made)) : std::nullopt;
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
