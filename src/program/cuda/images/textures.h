// Arrays, textures and surfaces of the program.
#pragma once

#include "program/cuda/state.h"

namespace forewarp::program {

/// Texels by rows, as cudaMallocArray makes them; also what a texture goes over.
struct Texels {
  unsigned char* at = nullptr;
  std::size_t width = 0, height = 1, depth = 1; ///< texels
  std::size_t pitch = 0;                        ///< bytes of a row
  cudaChannelFormatDesc format = {};
  bool layered = false;

  std::size_t texel_bytes() const {
    return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
  }
};

struct Texture {
  Texels texels;
  cudaTextureDesc how = {};
};

Texels* texels_of(cudaArray_const_t array);

/// By number, or by the address of the device's variable that names it; null: there is none.
const Texture* texture_at(const void* image);

/// One texel, or what lies between several, as four values.
void fetch(const Texture& texture, const float* at, unsigned axes, double* out);
/// Texels by their numbers; outside: what the texture's addressing says.
void fetch_whole(const Texture& texture, const std::int32_t* at, unsigned axes, double* out);

} // namespace forewarp::program
