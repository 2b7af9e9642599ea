// One product of a warp: which element of which matrix each register of each lane holds, and the sums.
#pragma once

#include "simt/exec/group_state.h"

namespace forewarp::simt {

class Fragments {
public:
  explicit Fragments(const MatrixOp& op);
  std::size_t slots_of_a() const { return slots_of_a_; }
  std::size_t factor_slots() const { return slots_of_a_ + slots_of_b_; }
  /// All lanes run.
  void multiply(const GroupState& state) const;

private:
  struct Factor {
    std::vector<double> numbers; ///< floats, or integers: by row of A or column of B, then by k
    std::vector<bool> known;     ///< by row or column
  };
  Factor gather(const GroupState& state, bool is_a) const;
  double sum_of_floats(const Factor& a, const Factor& b, unsigned row, unsigned column, double sum) const;
  std::int64_t sum_of_integers(const Factor& a, const Factor& b, unsigned row, unsigned column,
                               std::int32_t sum) const;
  std::uint64_t sum_of(const Factor& a, const Factor& b, unsigned row, unsigned column,
                       std::uint64_t sum) const;

  const MatrixOp& op_;
  std::size_t slots_of_a_ = 0, slots_of_b_ = 0;
};

} // namespace forewarp::simt
