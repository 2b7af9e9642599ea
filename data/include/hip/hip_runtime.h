// HIP's own words in kernels and at launches; the rest is CUDA's (forewarp_cuda.h, hip_runtime_api.h).
#pragma once
#pragma clang system_header

#include "hip/hip_runtime_api.h"
#include "hip/vector_operators.h"

#ifndef FOREWARP_AMD
#define __HIP_PLATFORM_NVIDIA__ 1
#define __HIPCC__ 1
#endif
#define __HIP_DEVICE_COMPILE__ 1

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(symbol) symbol
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared_bytes, stream, ...)                                   \
  kernel<<<(grid), (block), (shared_bytes), (stream)>>>(__VA_ARGS__)

FW_DEVICE unsigned __lane_id(void) { return fw_lane(); }
FW_DEVICE unsigned __bitextract_u32(unsigned word, unsigned first, unsigned count) {
  return count == 0 ? 0 : word << (32 - first - count) >> (32 - count);
}
// On AMD these are the instructions without a returned value or without the safe loop; the cost is the atomic's.
template <class T> FW_DEVICE T unsafeAtomicAdd(T* address, T value) { return atomicAdd(address, value); }
template <class T> FW_DEVICE T safeAtomicAdd(T* address, T value) { return atomicAdd(address, value); }
FW_DEVICE void atomicAddNoRet(float* address, float value) { atomicAdd(address, value); }
