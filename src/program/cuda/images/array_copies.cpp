// Copies to and from arrays.
#include "program/cuda/images/textures.h"

#include <algorithm>

using namespace forewarp::program;

FOREWARP_API cudaError_t cudaMemcpy2D(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t,
                                      cudaMemcpyKind);

namespace {

unsigned char* place(cudaArray_const_t array, std::size_t bytes, std::size_t row) {
  const Texels& texels = *texels_of(array);
  return texels.at + row * texels.pitch + bytes;
}

/// Bytes without rows, from a place in an array on, over its rows' ends.
template <class Copy>
cudaError_t by_rows(const Texels& texels, std::size_t w, std::size_t h, std::size_t bytes, Copy copy) {
  const std::size_t row_bytes = texels.width * texels.texel_bytes();
  for (std::size_t done = 0; done < bytes;) {
    const bool whole = w == 0 && bytes - done >= row_bytes;
    const std::size_t rows = whole ? (bytes - done) / row_bytes : 1;
    const std::size_t width = whole ? row_bytes : std::min(row_bytes - w, bytes - done);
    if (const cudaError_t error = copy(done, w, h, width, rows); error != cudaSuccess)
      return error;
    done += width * rows;
    h += rows;
    w = 0;
  }
  return cudaSuccess;
}

/// One side of a copy of a box: where its first row lies, and the bytes from row to row and plane to plane.
struct Side {
  unsigned char* at = nullptr;
  std::size_t pitch = 0, plane = 0, texel_bytes = 1;
};

Side side(cudaArray_t array, const cudaPitchedPtr& pointer, const cudaPos& from) {
  if (array) {
    const Texels& texels = *texels_of(array);
    const std::size_t plane = texels.pitch * texels.height;
    return {texels.at + from.z * plane + from.y * texels.pitch + from.x * texels.texel_bytes(), texels.pitch,
            plane, texels.texel_bytes()};
  }
  const std::size_t plane = pointer.pitch * pointer.ysize;
  return {static_cast<unsigned char*>(pointer.ptr) + from.z * plane + from.y * pointer.pitch + from.x,
          pointer.pitch, plane, 1};
}

} // namespace

FOREWARP_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, std::size_t w, std::size_t h, const void* from,
                                             std::size_t pitch, std::size_t width, std::size_t height,
                                             cudaMemcpyKind kind) {
  return cudaMemcpy2D(place(to, w, h), texels_of(to)->pitch, from, pitch, width, height, kind);
}
FOREWARP_API cudaError_t cudaMemcpy2DFromArray(void* to, std::size_t pitch, cudaArray_const_t from,
                                               std::size_t w, std::size_t h, std::size_t width,
                                               std::size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, pitch, place(from, w, h), texels_of(from)->pitch, width, height, kind);
}
FOREWARP_API cudaError_t cudaMemcpyToArray(cudaArray_t to, std::size_t w, std::size_t h, const void* from,
                                           std::size_t bytes, cudaMemcpyKind kind) {
  const auto* source = static_cast<const unsigned char*>(from);
  return by_rows(*texels_of(to), w, h, bytes,
                 [&](std::size_t done, std::size_t x, std::size_t y, std::size_t width, std::size_t rows) {
                   return cudaMemcpy2DToArray(to, x, y, source + done, width, width, rows, kind);
                 });
}
FOREWARP_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, std::size_t w, std::size_t h,
                                             std::size_t bytes, cudaMemcpyKind kind) {
  auto* target = static_cast<unsigned char*>(to);
  return by_rows(*texels_of(from), w, h, bytes,
                 [&](std::size_t done, std::size_t x, std::size_t y, std::size_t width, std::size_t rows) {
                   return cudaMemcpy2DFromArray(target + done, width, from, x, y, width, rows, kind);
                 });
}
/// The extent counts texels where an array takes part, else bytes.
FOREWARP_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* how) {
  const Side from = side(how->srcArray, how->srcPtr, how->srcPos),
             to = side(how->dstArray, how->dstPtr, how->dstPos);
  const std::size_t width = how->extent.width * std::max(from.texel_bytes, to.texel_bytes);
  const bool whole =
      from.plane == from.pitch * how->extent.height && to.plane == to.pitch * how->extent.height;
  const std::size_t rows = how->extent.height * (whole ? how->extent.depth : 1);
  for (std::size_t z = 0; z < (whole ? 1 : how->extent.depth); ++z)
    if (const cudaError_t error = cudaMemcpy2D(to.at + z * to.plane, to.pitch, from.at + z * from.plane,
                                               from.pitch, width, rows, how->kind);
        error != cudaSuccess)
      return error;
  return cudaSuccess;
}
