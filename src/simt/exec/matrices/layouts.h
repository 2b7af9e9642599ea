// Which element of a product's matrices a lane holds where: one table for all kinds of products.
#pragma once

#include "simt/decode/markers/matrix_op.h"

namespace forewarp::simt {

/// Of a factor: a row of A or a column of B, and a place along k. Of the sums: row and column. Rows of block
/// n follow those of block n - 1.
struct MatrixPlace {
  unsigned row = 0, at = 0;
  bool is_held = true; ///< the bits of the lane that follow are not read, or not written
};

/// Element `index` of a lane's registers of a factor, of `lanes` lanes.
MatrixPlace place_in_factor(const MatrixOp& op, bool is_a, unsigned lane, unsigned index, unsigned lanes);
MatrixPlace place_of_sum(const MatrixOp& op, unsigned lane, unsigned index, unsigned lanes);

} // namespace forewarp::simt
