// A factor of a product as numbers: from the registers of a warp, or from shared memory behind a descriptor.
#pragma once

#include "facts/tensor_map.h"
#include "simt/exec/group_state.h"

#include <optional>
#include <vector>

namespace forewarp::simt {

struct NumberMatrix {
  NumberMatrix(std::size_t rows, std::size_t of_row)
      : depth(of_row), numbers(rows * of_row), known(rows, true) {}
  const double* row(std::size_t index) const { return &numbers[index * depth]; }
  bool any_known() const;

  std::size_t depth;
  std::vector<double> numbers; ///< by row of A or column of B, then by k
  std::vector<bool> known;     ///< by row or column
};

/// Where a matrix lies in shared memory (PTX ISA, "Matrix descriptor"), bytes.
struct MatrixDescriptor {
  std::uint64_t start = 0, leading = 0, stride = 0;
  facts::TensorMap::Swizzle swizzle = facts::TensorMap::Swizzle::none;
  /// Of `bits` for wgmma; none: of a form that is not modelled (a pattern that does not begin at its own
  /// alignment).
  static std::optional<MatrixDescriptor> of_warpgroup(std::uint64_t bits);
  static std::optional<MatrixDescriptor> of_tensor_product(std::uint64_t bits); ///< of tcgen05
};

/// From the lanes' registers.
NumberMatrix factor_in_registers(const GroupState& state, const MatrixOp& op, bool is_a);
/// `rows` from row `first` on of a matrix in the group's shared memory.
NumberMatrix factor_in_memory(const GroupState& state, const MatrixDescriptor& at,
                              const MatrixOp::Factor& factor, unsigned first, unsigned rows, unsigned depth);

} // namespace forewarp::simt
