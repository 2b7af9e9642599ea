// Which scheduler is looked at next.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace forewarp::pipeline {

/// Of several schedulers the one that may issue first; of those alike the one that issued longer ago, else
/// the first. No branches: which one it is cannot be foreseen. Cycles are not negative: their bits are in
/// order.
inline std::size_t earliest_scheduler(const std::vector<double>& next_cycle,
                                      const std::vector<std::uint64_t>& last_issue_order) {
  const auto earlier_of = [&](std::uint64_t one, std::uint64_t other) {
    const auto at = std::bit_cast<std::uint64_t>(next_cycle[one]);
    const auto other_at = std::bit_cast<std::uint64_t>(next_cycle[other]);
    const bool issued_before = last_issue_order[other] < last_issue_order[one];
    const bool take_other = static_cast<unsigned>(other_at < at) |
                            (static_cast<unsigned>(other_at == at) & static_cast<unsigned>(issued_before));
    // "take_other ? other : one" is made a branch
    return one ^ ((one ^ other) & -static_cast<std::uint64_t>(take_other));
  };
  if (next_cycle.size() == 4) // most GPUs; two comparisons in a row instead of three
    return earlier_of(earlier_of(0, 1), earlier_of(2, 3));
  std::uint64_t best = 0;
  for (std::uint64_t i = 1; i < next_cycle.size(); ++i)
    best = earlier_of(best, i);
  return best;
}

} // namespace forewarp::pipeline
