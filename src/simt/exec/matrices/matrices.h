// Matrices that the lanes of a warp hold together, or that lie in shared or tensor memory: products
// (mma.sync, wgmma, tcgen05, MFMA, WMMA), and rows that change lanes (ldmatrix, stmatrix, movmatrix). A
// product's values are known where those of its row, its column and its sum are. Sums of floats are made in
// the order of k, in single precision: hardware's own order is not published. Where a part of the warp runs,
// values are unknown.
#pragma once

#include "simt/exec/group_state.h"
#include "simt/exec/matrices/tensor_memory.h"

namespace forewarp::simt {

class Matrices {
public:
  explicit Matrices(GroupState& state) : state_(state) {}
  bool execute(const Instruction& instruction); ///< false: the group's error is set

private:
  void take(const MatrixOp& op);
  void give(const MatrixOp& op);
  void take_bytes(const MatrixOp& op);
  void give_bytes(const MatrixOp& op);
  std::uint32_t byte_of(const MatrixOp& op, unsigned row, unsigned index, bool& known) const;
  void transpose(const MatrixOp& op);
  void set_unknown(const MatrixOp& op);
  /// The half `index` of the word that a lane has in the slot; false: it is not known.
  bool half_of(std::int32_t slot, unsigned lane, unsigned index, std::uint32_t& half) const;
  bool is_known(std::int32_t slot, unsigned lane) const { return (state_.known(slot) >> lane & 1) != 0; }
  void put(std::int32_t slot, unsigned lane, std::uint32_t word, bool known);

  GroupState& state_;
  TensorMemory tensor_memory_{state_};
};

} // namespace forewarp::simt
