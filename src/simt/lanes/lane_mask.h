#pragma once

#include <cstdint>

namespace forewarp::simt {

/// One bit for each of `lanes` lanes, at most 64.
inline std::uint64_t lane_mask(unsigned lanes) {
  return lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1;
}

} // namespace forewarp::simt
