// Where a texel lies. Textures are not kept row by row: neighbours along both axes share sectors.
#pragma once

#include "facts/launch.h"

#include <cstdint>

namespace forewarp::facts {

inline constexpr std::uint64_t tile_row_bytes = 64, tile_rows = 8; ///< a tile has 512 bytes

std::uint64_t image_bytes(const ImageValue& image);

/// Bytes from the image's start. Inside a tile, two rows of 16 bytes make a sector of 32 bytes: the "block
/// linear" layout of NVIDIA's Tegra X1 Technical Reference Manual (and of the open drivers, "GOB"), tiles row
/// after row. AMD's tiles differ; the same layout stands for them. Coordinates are inside the image.
std::uint64_t texel_offset(const ImageValue& image, std::uint64_t x, std::uint64_t y, std::uint64_t z);

} // namespace forewarp::facts
