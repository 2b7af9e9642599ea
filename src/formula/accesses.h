// What each access of the kernel does to memory segments and banks, from the residues of its address (W
// section 3.3), as functions of nothing but the code and the group's shape.
#pragma once

#include "formula/formula.h"

namespace forewarp::formula {

struct Access {
  std::uint32_t block = 0, line = 0; ///< line 0: not known
  bool store = false, shared = false;
  std::string base;            ///< parameter or variable; "": not known
  symbolic::Expression offset; ///< bytes, in work-items, groups, iterations and symbols
  unsigned width_bytes = 4;    ///< a lane
  /// Of a full warp: sectors touched, or bank passes in shared memory; mean over the residues of everything
  /// that is the same for its lanes. Buffers are taken to begin at a sector.
  double per_request = 1;
  bool exact = true; ///< false: `per_request` is the worst case, the address being data or beyond the algebra
  symbolic::Expression requests; ///< by all warps of the grid
};

/// Accesses of global and shared memory, in program order.
std::vector<Access> accesses(const Formula& formula);

/// Bytes that the sectors of all exact accesses of global memory move if nothing is kept in a cache; beyond
/// the algebra where an access is not exact.
symbolic::Expression sector_traffic(const Formula& formula, const std::vector<Access>& all);

} // namespace forewarp::formula
