#include "facts/image_layout.h"

namespace forewarp::facts {
namespace {

std::uint64_t tiles_along_x(const ImageValue& image) {
  return (std::uint64_t{image.width} * image.texel_bytes + tile_row_bytes - 1) / tile_row_bytes;
}

std::uint64_t slice_bytes(const ImageValue& image) {
  if (image.linear)
    return std::uint64_t{image.width} * image.height * image.texel_bytes;
  return tiles_along_x(image) * ((image.height + tile_rows - 1) / tile_rows) * tile_row_bytes * tile_rows;
}

} // namespace

std::uint64_t image_bytes(const ImageValue& image) {
  return slice_bytes(image) * image.depth;
}

std::uint64_t texel_offset(const ImageValue& image, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const std::uint64_t slice = z * slice_bytes(image), along = x * image.texel_bytes;
  if (image.linear)
    return slice + y * image.width * image.texel_bytes + along;
  const std::uint64_t tile = y / tile_rows * tiles_along_x(image) + along / tile_row_bytes;
  const std::uint64_t inside =
      along % tile_row_bytes / 32 * 256 + y % 8 / 2 * 64 + along % 32 / 16 * 32 + y % 2 * 16 + along % 16;
  return slice + tile * tile_row_bytes * tile_rows + inside;
}

} // namespace forewarp::facts
