// What a texture unit computes: addressing, filtering with weights of 8 bits (CUDA C++ Programming Guide,
// "Texture Fetching"), conversion of texels.
#include "program/cuda/images/textures.h"
#include "program/cuda/vendor/narrow_floats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace forewarp::program {
namespace {

using Value = std::array<double, 4>;

double channel(const unsigned char* at, int bits, cudaChannelFormatKind kind, bool normalized) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, static_cast<std::size_t>(bits) / 8);
  if (kind == cudaChannelFormatKindFloat) {
    float value = 0;
    std::memcpy(&value, &word, sizeof(value));
    return static_cast<double>(bits == 16 ? float_of_half(static_cast<std::uint16_t>(word)) : value);
  }
  if (kind == cudaChannelFormatKindUnsigned)
    return normalized && bits < 32 ? word / (std::exp2(bits) - 1) : word;
  const std::int32_t value = static_cast<std::int32_t>(word << (32 - bits)) >> (32 - bits);
  return normalized && bits < 32 ? std::max(value / (std::exp2(bits - 1) - 1), -1.0) : value;
}

Value texel(const Texture& texture, std::int64_t x, std::int64_t y, std::int64_t z) {
  const Texels& texels = texture.texels;
  const bool normalized = texture.how.readMode == cudaReadModeNormalizedFloat;
  const auto row = static_cast<std::size_t>(z) * texels.height + static_cast<std::size_t>(y);
  const unsigned char* at =
      texels.at + row * texels.pitch + static_cast<std::size_t>(x) * texels.texel_bytes();
  Value out = {};
  const int bits[] = {texels.format.x, texels.format.y, texels.format.z, texels.format.w};
  for (unsigned k = 0; k < 4 && bits[k] > 0; ++k) {
    out[k] = channel(at, bits[k], texels.format.f, normalized);
    at += bits[k] / 8;
  }
  return out;
}

/// The place on an axis; -1: outside, where the border's value is.
std::int64_t placed(std::int64_t at, std::int64_t size, cudaTextureAddressMode mode, bool normalized) {
  if (at >= 0 && at < size)
    return at;
  if (mode == cudaAddressModeBorder)
    return -1;
  if (mode == cudaAddressModeWrap && normalized)
    return (at % size + size) % size;
  if (mode == cudaAddressModeMirror && normalized) {
    const std::int64_t turn = (at % (2 * size) + 2 * size) % (2 * size);
    return turn < size ? turn : 2 * size - 1 - turn;
  }
  return std::clamp<std::int64_t>(at, 0, size - 1);
}

Value addressed(const Texture& texture, const std::int64_t (&at)[3]) {
  const Texels& texels = texture.texels;
  const std::size_t size[] = {texels.width, texels.height, texels.depth};
  std::int64_t place[3];
  for (unsigned k = 0; k < 3; ++k) {
    const auto mode = k == 2 && texels.layered ? cudaAddressModeClamp : texture.how.addressMode[k];
    place[k] = placed(at[k], static_cast<std::int64_t>(size[k]), mode, texture.how.normalizedCoords != 0);
    if (place[k] < 0)
      return {texture.how.borderColor[0], texture.how.borderColor[1], texture.how.borderColor[2],
              texture.how.borderColor[3]};
  }
  return texel(texture, place[0], place[1], place[2]);
}

} // namespace

void fetch(const Texture& texture, const float* at, unsigned axes, double* out) {
  const Texels& texels = texture.texels;
  const std::size_t size[] = {texels.width, texels.height, texels.depth};
  std::int64_t low[3] = {};
  double weight[3] = {};
  for (unsigned k = 0; k < axes; ++k) {
    const bool is_layer = texels.layered && axes > 1 && k + 1 == axes;
    const unsigned axis = is_layer ? 2 : k; // layers lie one behind the other
    double place = at[k];
    if (texture.how.normalizedCoords != 0 && !is_layer)
      place *= static_cast<double>(size[axis]);
    const bool filtered = texture.how.filterMode == cudaFilterModeLinear && !is_layer;
    if (filtered)
      place -= 0.5;
    place = std::isnan(place) ? 0 : std::clamp(is_layer ? std::nearbyint(place) : place, -0x1p40, 0x1p40);
    low[axis] = static_cast<std::int64_t>(std::floor(place));
    weight[axis] = filtered ? std::floor((place - std::floor(place)) * 256 + 0.5) / 256 : 0;
  }
  Value sum = {};
  for (unsigned corner = 0; corner < 8; ++corner) {
    double part = 1;
    std::int64_t place[3];
    for (unsigned k = 0; k < 3; ++k) {
      const bool upper = (corner >> k & 1U) != 0;
      place[k] = low[k] + (upper ? 1 : 0);
      part *= upper ? weight[k] : 1 - weight[k];
    }
    if (part == 0)
      continue;
    const Value value = addressed(texture, place);
    for (unsigned k = 0; k < 4; ++k)
      sum[k] += part * value[k];
  }
  std::copy(sum.begin(), sum.end(), out);
}

void fetch_whole(const Texture& texture, const std::int32_t* at, unsigned axes, double* out) {
  std::int64_t place[3] = {};
  for (unsigned k = 0; k < axes; ++k)
    place[k] = at[k];
  Texture plain = texture;
  plain.how.normalizedCoords = 0;
  if (at[0] < 0 || static_cast<std::size_t>(at[0]) >= texture.texels.width) { // linear memory: zeros outside
    std::fill_n(out, 4, 0.0);
    return;
  }
  const Value value = addressed(plain, place);
  std::copy(value.begin(), value.end(), out);
}

} // namespace forewarp::program
