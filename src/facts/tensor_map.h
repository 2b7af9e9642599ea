// Tensor maps (CUtensorMap, PTX ISA "tensor-map"): what a bulk copy of a tile needs to know of the tensor.
// The hardware's layout of its 128 bytes is not documented; this one is ours, and `tensormap.replace` writes
// it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace forewarp::facts {

inline constexpr std::size_t tensor_map_bytes = 128;
inline constexpr unsigned most_tensor_dimensions = 5;

/// Dimensions from the innermost.
struct TensorMap {
  /// Swizzle of 16-byte pieces in shared memory over rows of so many bytes.
  enum class Swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 } swizzle = Swizzle::none;
  unsigned rank = 1;                     ///< 1 to 5
  unsigned element_bytes = 1;            ///< 1, 2, 4, 8
  std::optional<std::uint8_t> type = {}; ///< CUtensorMapDataType; none: an unsigned integer of that size
  std::uint64_t address = 0;             ///< of element (0, ..., 0)
  std::array<std::uint32_t, most_tensor_dimensions> extents{}; ///< elements
  std::array<std::uint64_t, most_tensor_dimensions> strides{}; ///< bytes; of the innermost element_bytes
  std::array<std::uint32_t, most_tensor_dimensions> box{};     ///< elements of a tile
  /// Images as columns ("im2col"): box[0] channels of box[1] pixels, one after the other through the
  /// positions from `lower` to the last one and `upper` on, of the dimensions between the channels and the
  /// images.
  bool of_columns = false;
  std::array<std::int16_t, 3> lower{}, upper{};
  bool operator==(const TensorMap&) const = default;

  std::uint64_t row_bytes() const { return static_cast<std::uint64_t>(box[0]) * element_bytes; }
  std::uint64_t box_bytes() const {
    std::uint64_t bytes = element_bytes;
    for (unsigned d = 0; d < (of_columns ? 2 : rank); ++d)
      bytes *= box[d];
    return bytes;
  }
};

/// Places of the fields in the 128 bytes, for `tensormap.replace`.
namespace tensor_map_fields {
inline constexpr unsigned rank = 0;            ///< u32, one less
inline constexpr unsigned type = 4;            ///< u32: CUtensorMapDataType
inline constexpr unsigned swizzle = 8;         ///< u32
inline constexpr unsigned of_columns = 12;     ///< u32
inline constexpr unsigned address = 16;        ///< u64
inline constexpr unsigned extents = 24;        ///< 5 x u32
inline constexpr unsigned strides = 48;        ///< 4 x u64, of dimension 1 on
inline constexpr unsigned box = 80;            ///< 5 x u32
inline constexpr unsigned element_steps = 100; ///< 5 x u32
inline constexpr unsigned corners = 120;       ///< lower: i16, 2 x i8; upper
} // namespace tensor_map_fields

/// The 128 bytes of a map.
std::array<std::uint8_t, tensor_map_bytes> bytes_of(const TensorMap& map);
/// Nothing: these are no map that can be followed (rank, type, an empty box, elements that are stepped over).
std::optional<TensorMap> tensor_map_of(std::span<const std::uint8_t, tensor_map_bytes> bytes);

/// Where a piece of 16 bytes at `address` of shared memory lies by the swizzle.
std::uint64_t swizzled(std::uint64_t address, TensorMap::Swizzle swizzle);

} // namespace forewarp::facts
