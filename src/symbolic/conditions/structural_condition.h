// W's structural conditions O(A t + B, I(i)) (Baghsorkhi et al. 2010, Definition 9) for one group of T
// work-items: how many warps run the region under the condition, iteration by iteration, with the cost known
// before.
#pragma once

#include <cstdint>
#include <vector>

namespace forewarp::symbolic {

/// A t + B <= I(i), or A t + B = 0 (mod I(i)); I(i) = alpha i + beta or 2^(alpha i + beta). A, B, alpha and
/// beta are not negative (W: without loss of generality), I(i) >= 1.
struct StructuralCondition {
  enum class Operator : std::uint8_t { at_most, divisible } op = Operator::at_most;
  std::int64_t a = 1, b = 0;
  std::int64_t alpha = 1, beta = 0;
  bool geometric = false;
  std::int64_t threads = 32; ///< T
  unsigned warp_width = 32;

  /// I(i); the largest number where it does not fit.
  std::int64_t right(std::int64_t iteration) const;
  bool holds(std::int64_t thread, std::int64_t iteration) const;
};

struct ConditionWeight {
  double cost = 0; ///< steps, by Expression 11 or the sum of case 2, twice (two passes)
  bool evaluated =
      false; ///< false: dearer than allowed, taken to be true for all, a lower bound of performance
  std::int64_t iterations_with_divergence = 0; ///< I_0
  double weight_before = 1; ///< w_0: share of the group's warps that run it, mean over i < I_0
  /// Share from I_0 on. at_most: 1 (W). divisible: W's text has "true for all threads" there; a number below
  /// the modulus is divisible by it only if it is 0, and that is what counts here.
  double weight_after = 1;
  std::vector<std::uint32_t> active_warps; ///< by iteration below I_0

  /// Expression 12: mean share over `iterations`. Where these are fewer than I_0, W's w_0 stands for them.
  double overall(std::int64_t iterations) const;
};

/// Steps that evaluating the condition takes, before it is done.
double evaluation_cost(const StructuralCondition& condition);
ConditionWeight weigh(const StructuralCondition& condition, double most_cost = 1e6);

} // namespace forewarp::symbolic
