// Which rows a run takes, and in which order: rows that share a compiled kernel stand together.
#pragma once

#include "validate/rows.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace forewarp::validate {

/// A row that a run takes.
struct DrawnRow {
  Row row;
  std::size_t place = 0; ///< among all drawn rows, by kernel, GPU and the data's order
  std::uint64_t code = 0,
                configuration = 0; ///< equal for rows of equal defines; of equal launches, arguments and
                                   ///< repetition, too
};

/// Rows that one thread takes at a time.
using Part = std::vector<DrawnRow>;

/// `sample` rows of each space (0: all), chosen by seed and configuration, in parts of rows that share what
/// is compiled, whatever their GPU.
std::vector<Part> draw(Spaces spaces, std::size_t sample, std::uint64_t seed);

} // namespace forewarp::validate
