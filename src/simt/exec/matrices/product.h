// One product of a warp: its factors, and the sums that its lanes hold.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/matrices/factor.h"

#include <optional>

namespace forewarp::simt {

class Product {
public:
  Product(const MatrixOp& op, GroupState& state) : op_(op), state_(state) {}
  /// All lanes run.
  void multiply();

private:
  bool is_known_anywhere(std::size_t first, std::size_t count) const;
  std::optional<NumberMatrix> factor(bool is_a) const;
  void spread(NumberMatrix& a) const;
  void scale(NumberMatrix& factor, bool is_a) const;
  void put(std::size_t result, const NumberMatrix& a, const NumberMatrix& b);
  bool adds(unsigned lane) const;

  const MatrixOp& op_;
  GroupState& state_;
};

} // namespace forewarp::simt
