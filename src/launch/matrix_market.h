// Sparse matrices in the Matrix Market exchange format (Boisvert, Pozo, Remington, NISTIR 5935), as
// compressed rows.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::launch {

/// Entries of a row in ascending columns; those written twice stay two.
struct CompressedRows {
  std::uint64_t rows = 0, columns = 0;
  std::vector<std::uint64_t> row_starts; ///< rows + 1
  std::vector<std::uint64_t> column;     ///< from 0
  std::vector<double> value;             ///< 1 for a pattern
};

/// `coordinate` files of field real, integer or pattern; symmetric and skew-symmetric ones are written out in
/// full. Errors: bad_input with the line (dense arrays, complex and hermitian ones, indices out of range,
/// fewer or more entries than promised).
Result<CompressedRows> parse_matrix_market(std::string_view text, const std::string& where);

/// Fills `buffer.contents` with one part of the file "PATH#PART": row_starts (rows + 1 elements), columns or
/// values (one an entry). `buffer.count` 0: taken from the file. Errors: usage (no such part), bad_input.
Result<void> load_matrix_part(facts::BufferValue& buffer, const std::string& path_and_part);
/// Of the form "PATH.mtx#PART".
bool is_matrix_part(std::string_view path);

} // namespace forewarp::launch
