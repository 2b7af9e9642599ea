// Memory of the device and of the host. Both lie in this process; the clock tells them apart.
#include "program/cuda/state.h"
#include "program/cuda/vendor/library.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace forewarp::program;

namespace {

constexpr std::size_t alignment = 256, mapped_from = std::size_t{1} << 16;

/// Zeros, as a card's memory mostly holds where nothing was written.
void* take(std::size_t bytes) {
  if (bytes < mapped_from) {
    const std::size_t whole = (bytes + alignment - 1) / alignment * alignment;
    void* at = nullptr;
    return ::posix_memalign(&at, alignment, whole) == 0 ? std::memset(at, 0, whole) : nullptr;
  }
  void* at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

void release(const Allocation& allocation) {
  auto* at = reinterpret_cast<void*>(allocation.begin);
  if (allocation.bytes < mapped_from)
    std::free(at);
  else
    ::munmap(at, allocation.bytes);
}

std::uint64_t device_memory() {
  return static_cast<std::uint64_t>(state().device.value("memory_bytes", 4.0 * (1U << 30)));
}

cudaError_t allocate(void** out, std::size_t bytes, MemoryKind kind) {
  Call call;
  State& s = state();
  if (!out)
    return give(cudaErrorInvalidValue);
  *out = nullptr;
  if (bytes == 0)
    return cudaSuccess;
  const bool on_device = kind == MemoryKind::device || kind == MemoryKind::managed;
  if (on_device && s.device_bytes + bytes > device_memory())
    return give(cudaErrorMemoryAllocation);
  void* at = take(bytes);
  if (!at)
    return give(cudaErrorMemoryAllocation);
  add_allocation(at, bytes, kind);
  s.device_bytes += on_device ? bytes : 0;
  *out = at;
  return cudaSuccess;
}

cudaError_t give_back(void* pointer, bool of_host) {
  Call call;
  State& s = state();
  call.leave_at(wait_for(last_of_all(), call.entered_at())); // as the runtime does
  if (!pointer)
    return s.sticky;
  const auto found = s.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (found == s.memory.end() || found->second.kind == MemoryKind::variable ||
      (found->second.kind == MemoryKind::pinned) != of_host)
    return give(cudaErrorInvalidValue);
  if (!of_host)
    s.device_bytes -= found->second.bytes;
  release(found->second);
  s.memory.erase(found);
  return s.sticky;
}

} // namespace

namespace forewarp::program {

void* take_room(std::size_t bytes) {
  void* at = take(bytes);
  if (at)
    add_allocation(at, bytes, MemoryKind::device).name = "the memory of an array or a library";
  return at;
}

void give_back_room(void* at) {
  State& s = state();
  const auto found = s.memory.find(reinterpret_cast<std::uint64_t>(at));
  release(found->second);
  s.memory.erase(found);
}

} // namespace forewarp::program

FOREWARP_API cudaError_t cudaMalloc(void** out, std::size_t bytes) {
  return allocate(out, bytes, MemoryKind::device);
}
FOREWARP_API cudaError_t cudaMallocManaged(void** out, std::size_t bytes, unsigned) {
  return allocate(out, bytes, MemoryKind::managed);
}
FOREWARP_API cudaError_t cudaMallocHost(void** out, std::size_t bytes) {
  return allocate(out, bytes, MemoryKind::pinned);
}
FOREWARP_API cudaError_t cudaMallocPitch(void** out, std::size_t* pitch, std::size_t width,
                                         std::size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return allocate(out, *pitch * height, MemoryKind::device);
}
FOREWARP_API cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
  *out = {nullptr, 0, extent.width, extent.height};
  const cudaError_t error =
      cudaMallocPitch(&out->ptr, &out->pitch, extent.width, extent.height * extent.depth);
  return error;
}
FOREWARP_API cudaError_t cudaFree(void* pointer) {
  return give_back(pointer, false);
}
FOREWARP_API cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
  return give_back(pointer, false);
}
FOREWARP_API cudaError_t cudaFreeHost(void* pointer) {
  return give_back(pointer, true);
}

FOREWARP_API cudaError_t cudaHostRegister(void* at, std::size_t bytes, unsigned) {
  Call call;
  add_allocation(at, bytes, MemoryKind::registered);
  return cudaSuccess;
}
FOREWARP_API cudaError_t cudaHostUnregister(void* at) {
  Call call;
  return state().memory.erase(reinterpret_cast<std::uint64_t>(at)) == 1 ? cudaSuccess
                                                                        : give(cudaErrorInvalidValue);
}
FOREWARP_API cudaError_t forewarp_host_device_pointer(void** out, void* at) {
  Call call;
  *out = at;
  return allocation_at(at) ? cudaSuccess : give(cudaErrorInvalidValue);
}

FOREWARP_API cudaError_t cudaMemGetInfo(std::size_t* available, std::size_t* total) {
  Call call;
  *total = device_memory();
  *available = *total - state().device_bytes;
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* at) {
  Call call;
  const Allocation* found = allocation_at(at);
  *out = {};
  if (!found)
    return cudaSuccess;
  const bool of_host = found->kind == MemoryKind::pinned || found->kind == MemoryKind::registered;
  out->type = of_host                              ? cudaMemoryTypeHost
              : found->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                                                   : cudaMemoryTypeDevice;
  out->devicePointer = const_cast<void*>(at);
  out->hostPointer = found->kind == MemoryKind::device ? nullptr : const_cast<void*>(at);
  return cudaSuccess;
}

FOREWARP_API cudaError_t cudaMemAdvise(const void*, std::size_t, cudaMemoryAdvise, int) {
  return cudaSuccess;
}

FOREWARP_API cudaPitchedPtr make_cudaPitchedPtr(void* at, std::size_t pitch, std::size_t width,
                                                std::size_t height) {
  return {at, pitch, width, height};
}
FOREWARP_API cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
  return {width, height, depth};
}
FOREWARP_API cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) {
  return {x, y, z};
}
