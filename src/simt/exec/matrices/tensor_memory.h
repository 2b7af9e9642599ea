// Instructions of tensor memory (tcgen05): products that one work-item asks for, and what warps move.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/matrices/factor.h"

#include <optional>

namespace forewarp::simt {

class TensorMemory {
public:
  explicit TensorMemory(GroupState& state) : state_(state) {}
  /// False: the group's error is set.
  bool execute(const MatrixOp& op, const Instruction& instruction);

private:
  struct Request; ///< one product, with its operands
  bool allocate(const MatrixOp& op, const Instruction& instruction);
  void move(const MatrixOp& op, bool loads);
  void multiply(const MatrixOp& op, unsigned lane);
  std::optional<NumberMatrix> factor(const Request& request, bool is_a, unsigned group) const;
  void put_sums(const Request& request, const NumberMatrix& a, const NumberMatrix& b, unsigned group);
  void scale(const Request& request, bool is_a, unsigned group, NumberMatrix& factor) const;
  void copy(const MatrixOp& op, unsigned lane);
  void forget(const MatrixOp& op, std::uint32_t column, std::uint32_t count);
  std::optional<std::uint64_t> operand(const MatrixOp& op, std::size_t index, LaneType type,
                                       unsigned lane) const;
  /// Of this group, or of the other of its pair (`group` 0 or 1: the even, the odd rank). Null: there is
  /// none.
  TensorStore* store_of(const MatrixOp& op, unsigned group) const;

  GroupState& state_;
};

} // namespace forewarp::simt
