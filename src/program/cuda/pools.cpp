// Pools of the stream-ordered allocator: one a device, which gives memory back at once.
#include "program/cuda/state.h"

using namespace forewarp::program;

namespace {

/// What a program has set, and reads again; other attributes are 0.
std::map<int, std::uint64_t>& attributes() {
  static auto* const only = new std::map<int, std::uint64_t>;
  return *only;
}

cudaMemPool_t only_pool() {
  static char pool = 0;
  return reinterpret_cast<cudaMemPool_t>(&pool);
}

/// The first three hold an int, the others 64 bits.
bool is_word(cudaMemPoolAttr attribute) {
  return attribute < cudaMemPoolAttrReleaseThreshold;
}

cudaError_t give_pool(cudaMemPool_t* out, int device) {
  Call call;
  if (device != 0 || !out)
    return give(device != 0 ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
  *out = only_pool();
  return cudaSuccess;
}

} // namespace

FOREWARP_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return give_pool(out, device);
}
FOREWARP_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) {
  return give_pool(out, device);
}
FOREWARP_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  Call call;
  return device == 0 && pool == only_pool() ? cudaSuccess : give(cudaErrorInvalidValue);
}
FOREWARP_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  Call call;
  if (pool != only_pool() || !value)
    return give(cudaErrorInvalidValue);
  attributes()[attribute] = is_word(attribute) ? static_cast<std::uint64_t>(*static_cast<int*>(value))
                                               : *static_cast<std::uint64_t*>(value);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  Call call;
  if (pool != only_pool() || !value)
    return give(cudaErrorInvalidValue);
  const std::uint64_t kept =
      attribute == cudaMemPoolAttrUsedMemCurrent || attribute == cudaMemPoolAttrReservedMemCurrent
          ? state().device_bytes
          : attributes()[attribute];
  if (is_word(attribute))
    *static_cast<int*>(value) = static_cast<int>(kept);
  else
    *static_cast<std::uint64_t*>(value) = kept;
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t) {
  Call call;
  return pool == only_pool() ? cudaSuccess : give(cudaErrorInvalidValue);
}
