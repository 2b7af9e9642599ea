// "image:4096x4096:rgba8" -> the size and the format of an image, and where its texels lie. Textures are not
// kept row by row: neighbours along both axes share sectors.
#pragma once

#include "facts/launch.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace forewarp::launch {

/// "4096x4096:rgba8:linear:normalised:wrap": width, height and depth in texels, channels with bits or an
/// element type (rgba8 where none is named), `rows` where texels lie row by row, and the words of a sampler.
/// Errors: usage, with `where` in front.
Result<facts::ArgumentValue> parse_image(std::string_view text, const std::string& where);

/// "linear:normalised:wrap" -> a sampler; what is not said is nearest, texels, clamp. Errors: as above.
Result<facts::Sampler> parse_sampler(std::string_view text, const std::string& where);
/// The words that make it; "" for the one that reads the nearest texel.
std::string sampler_text(const facts::Sampler& sampler);

/// The value of an OpenCL sampler_t as Clang has it (OpenCL C 3.0, 6.15.15.1; the bits are those of SPIR).
facts::Sampler sampler_of_bits(std::uint64_t bits);
std::uint64_t bits_of_sampler(const facts::Sampler& sampler);

/// Such a text without a word in front.
bool is_image(std::string_view text);

inline constexpr std::uint64_t tile_row_bytes = 64, tile_rows = 8; ///< a tile has 512 bytes

std::uint64_t image_bytes(const facts::ImageValue& image);

/// Bytes from the image's start. Inside a tile, two rows of 16 bytes make a sector of 32 bytes: the "block
/// linear" layout of NVIDIA's Tegra X1 Technical Reference Manual (and of the open drivers, "GOB"), tiles row
/// after row. AMD's tiles differ; the same layout stands for them. Coordinates are inside the image.
std::uint64_t texel_offset(const facts::ImageValue& image, std::uint64_t x, std::uint64_t y, std::uint64_t z);

} // namespace forewarp::launch
