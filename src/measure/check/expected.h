// What the C reference computed, small enough for a manifest: sampled elements and norms, each with the bound
// that follows from the corpus's tolerance (largest |difference| / largest |expected|).
#pragma once

#include "facts/launch.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace forewarp::measure {

struct Expected {
  std::string buffer;
  facts::ScalarType type = facts::ScalarType::f32;
  std::uint64_t count = 0;
  bool unordered = false; ///< elements in any order: they are sorted first
  double tolerance = 0;   ///< relative to `largest`; 0: equal
  double largest = 0;     ///< largest magnitude
  double sum = 0;         ///< of the elements
  double norm1 = 0;       ///< of the magnitudes
  double norm2 = 0;       ///< root of the sum of squares
  double projection = 0;  ///< sum of elements times weights in [0, 1): tells a permutation
  std::vector<std::pair<std::uint64_t, double>> samples; ///< index, element; all elements of a small buffer
};

/// Samples of a buffer larger than this are drawn, first and last among them.
inline constexpr std::uint64_t most_samples = 256;

/// `bytes` is the whole buffer; 64-bit integers lose their bits below 2^-53.
Expected summarise(const std::string& buffer, facts::ScalarType type, std::vector<std::uint8_t> bytes,
                   double tolerance, bool unordered = false);

/// "" where the buffer agrees, else what differs: the first wrong sample or the norm, with both values.
std::string difference(const Expected& expected, std::vector<std::uint8_t> actual);

nlohmann::json to_json(const Expected& expected);
Expected expected_from_json(const nlohmann::json& json);

/// Element `index` as a double.
double element_as_double(facts::ScalarType type, const std::uint8_t* bytes, std::uint64_t index);

} // namespace forewarp::measure
