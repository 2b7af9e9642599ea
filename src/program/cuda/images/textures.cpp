// Arrays, textures and surfaces: what the program makes and binds, and how kernels reach it.
#include "program/cuda/images/textures.h"

#include "native/abi/abi.h"
#include "program/cuda/execute.h"
#include "program/cuda/vendor/library.h"

#include <algorithm>
#include <cstring>

using namespace forewarp::program;
namespace native = forewarp::native;

namespace {

/// By number, or by the address of a variable of the device.
std::map<std::uint64_t, Texture>& textures() {
  static auto* only = new std::map<std::uint64_t, Texture>;
  return *only;
}

std::uint64_t next_number() {
  static std::uint64_t last = 0;
  return ++last;
}

constexpr std::size_t row_alignment = 32;

bool is_format(const cudaChannelFormatDesc& format) {
  const auto fits = [&](int bits) { return bits == 0 || bits == format.x; };
  return (format.x == 8 || format.x == 16 || format.x == 32) && fits(format.y) && fits(format.z) &&
         fits(format.w);
}

cudaError_t make_array(cudaArray_t* out, const cudaChannelFormatDesc& format, const cudaExtent& size,
                       bool layered) {
  Call call;
  if (!out || !is_format(format) || size.width == 0)
    return give(cudaErrorInvalidValue);
  auto made = std::make_unique<Texels>(Texels{nullptr, size.width, std::max<std::size_t>(size.height, 1),
                                              std::max<std::size_t>(size.depth, 1), 0, format, layered});
  made->pitch = (made->width * made->texel_bytes() + row_alignment - 1) / row_alignment * row_alignment;
  made->at = static_cast<unsigned char*>(take_room(made->pitch * made->height * made->depth));
  if (!made->at)
    return give(cudaErrorMemoryAllocation);
  *out = reinterpret_cast<cudaArray_t>(made.release());
  return cudaSuccess;
}

bool texels_of_resource(const cudaResourceDesc& resource, Texels& out) {
  switch (resource.resType) {
  case cudaResourceTypeArray:
    if (const Texels* array = texels_of(resource.res.array.array))
      return out = *array, true;
    return false;
  case cudaResourceTypeLinear: {
    const auto& linear = resource.res.linear;
    out = {static_cast<unsigned char*>(linear.devPtr), 0, 1, 1, 0, linear.desc, false};
    if (!is_format(linear.desc))
      return false;
    out.width = linear.sizeInBytes / out.texel_bytes();
    return allocation_at(linear.devPtr) != nullptr;
  }
  case cudaResourceTypePitch2D: {
    const auto& plane = resource.res.pitch2D;
    out = {static_cast<unsigned char*>(plane.devPtr),
           plane.width,
           plane.height,
           1,
           plane.pitchInBytes,
           plane.desc,
           false};
    return is_format(plane.desc) && allocation_at(plane.devPtr) != nullptr;
  }
  default:
    return false;
  }
}

/// The device's variable behind the host's one.
std::uint64_t variable_of(const void* shadow) {
  const auto found = state().variables.find(shadow);
  return found == state().variables.end() ? 0 : found->second.begin;
}

cudaTextureDesc how_of(const textureReference& reference, bool normalizes) {
  cudaTextureDesc how = {};
  std::copy(std::begin(reference.addressMode), std::end(reference.addressMode), std::begin(how.addressMode));
  how.filterMode = reference.filterMode;
  how.readMode = normalizes ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  how.normalizedCoords = reference.normalized;
  return how;
}

cudaError_t bind(const textureReference* reference, const Texels& texels, bool normalizes) {
  const std::uint64_t variable = variable_of(reference);
  if (variable == 0)
    return give(cudaErrorInvalidTexture);
  textures()[variable] = {texels, how_of(*reference, normalizes)};
  return cudaSuccess;
}

template <class T> void put(const double (&value)[4], void* out) {
  T texel[4];
  for (unsigned k = 0; k < 4; ++k)
    texel[k] = static_cast<T>(static_cast<std::int64_t>(value[k]));
  std::memcpy(out, texel, sizeof(texel));
}

void give_texel(native::Texel kind, const double (&value)[4], void* out) {
  float floats[4] = {};
  switch (kind) {
  case native::Texel::i32:
    return put<std::uint32_t>(value, out);
  case native::Texel::i16:
    return put<std::uint16_t>(value, out);
  case native::Texel::i8:
    return put<std::uint8_t>(value, out);
  default:
    std::transform(std::begin(value), std::end(value), floats,
                   [](double v) { return static_cast<float>(v); });
    std::memcpy(out, floats, sizeof(floats));
  }
}

/// Bytes along x; outside: zeros are read, and nothing is written.
void access_surface(const Texels& texels, const std::int32_t (&at)[4], unsigned axes, native::Texel kind,
                    bool writes, unsigned char* texel) {
  const std::size_t bytes = texels.texel_bytes();
  const auto inside = [](std::int64_t place, std::size_t size) {
    return place >= 0 && static_cast<std::size_t>(place) < size;
  };
  const std::int64_t y = axes > 1 ? at[1] : 0, z = axes > 2 ? at[2] : 0;
  const std::size_t wide = kind == native::Texel::i8 ? 4 : kind == native::Texel::i16 ? 8 : 16;
  const std::size_t moved = std::min(bytes, wide);
  const bool there = at[0] >= 0 &&
                     inside(at[0] + static_cast<std::int64_t>(moved) - 1, texels.width * bytes) &&
                     inside(y, texels.height) && inside(z, texels.depth);
  if (!writes)
    std::memset(texel, 0, wide);
  if (!there)
    return;
  const std::size_t row = static_cast<std::size_t>(z) * texels.height + static_cast<std::size_t>(y);
  unsigned char* place = texels.at + row * texels.pitch + static_cast<std::size_t>(at[0]);
  writes ? std::memcpy(place, texel, moved) : std::memcpy(texel, place, moved);
}

} // namespace

namespace forewarp::program {

Texels* texels_of(cudaArray_const_t array) {
  return reinterpret_cast<Texels*>(const_cast<cudaArray_t>(array));
}

const Texture* texture_at(const void* image) {
  static std::pair<std::uint64_t, const Texture*> last; // a launch mostly asks for the same again
  const auto number = reinterpret_cast<std::uint64_t>(image);
  if (last.second && last.first == number)
    return last.second;
  const auto found = textures().find(number);
  if (found == textures().end())
    return nullptr;
  last = {number, &found->second};
  return last.second;
}

} // namespace forewarp::program

FOREWARP_API cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                                         std::size_t width, std::size_t height, unsigned) {
  return make_array(out, *format, {width, height, 1}, false);
}
FOREWARP_API cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* format,
                                           cudaExtent size, unsigned flags) {
  return make_array(out, *format, size, (flags & cudaArrayLayered) != 0);
}
FOREWARP_API cudaError_t cudaFreeArray(cudaArray_t array) {
  Call call;
  if (!array)
    return cudaSuccess;
  const std::unique_ptr<Texels> owned(texels_of(array));
  give_back_room(owned->at);
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                                 const cudaTextureDesc* how, const cudaResourceViewDesc*) {
  Call call;
  Texture made = {{}, *how};
  if (!texels_of_resource(*resource, made.texels))
    return give(cudaErrorInvalidValue);
  *out = next_number();
  textures()[*out] = made;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
  const cudaTextureDesc plain = {};
  return cudaCreateTextureObject(out, resource, &plain, nullptr);
}
/// The map's nodes stay where they are, and numbers are not given twice: what is destroyed is only emptied.
FOREWARP_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
  Call call;
  if (const auto found = textures().find(texture); found != textures().end())
    found->second = {};
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
  return cudaDestroyTextureObject(surface);
}

FOREWARP_API cudaError_t forewarp_bind_texture(const textureReference* reference, const void* at,
                                               const cudaChannelFormatDesc* format, std::size_t width,
                                               std::size_t height, std::size_t pitch, int normalizes) {
  Call call;
  const Allocation* found = allocation_at(at);
  if (!found || !is_format(*format))
    return give(cudaErrorInvalidValue);
  Texels texels{static_cast<unsigned char*>(const_cast<void*>(at)), 0, height, 1, pitch, *format, false};
  const std::size_t rest = found->begin + found->bytes - reinterpret_cast<std::uint64_t>(at);
  texels.width = height > 1 ? width : std::min(width, rest) / texels.texel_bytes(); // of lines: bytes
  return bind(reference, texels, normalizes != 0);
}
FOREWARP_API cudaError_t forewarp_bind_array(const textureReference* reference, cudaArray_const_t array,
                                             int normalizes) {
  Call call;
  return array ? bind(reference, *texels_of(array), normalizes != 0) : give(cudaErrorInvalidValue);
}
FOREWARP_API cudaError_t forewarp_unbind_texture(const textureReference* reference) {
  return cudaDestroyTextureObject(variable_of(reference));
}

FOREWARP_API void forewarp_image(native::Group* group, const void* image, const void* at, std::uint32_t how,
                                 void* texel) {
  const Texture* texture = texture_at(image);
  if (!texture || !texture->texels.at || texture->texels.width == 0)
    return fault_in_kernel(*group, "a texture or surface that is bound to nothing");
  const unsigned axes = how & 15U;
  const auto kind = static_cast<native::Texel>(how >> 4 & 15U);
  double value[4] = {};
  if ((how & native::image_bytes) != 0) {
    std::int32_t places[4];
    std::memcpy(places, at, sizeof(places));
    return access_surface(texture->texels, places, axes, kind, (how & native::image_writes) != 0,
                          static_cast<unsigned char*>(texel));
  }
  if ((how & native::image_whole) != 0) {
    fetch_whole(*texture, static_cast<const std::int32_t*>(at), axes, value);
  } else {
    fetch(*texture, static_cast<const float*>(at), axes, value);
  }
  give_texel(kind, value, texel);
}
