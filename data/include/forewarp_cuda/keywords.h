// Execution and memory space keywords, and what a compiler driver defines.
#pragma once
#pragma clang system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __grid_constant__
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((annotate("forewarp.cluster", __VA_ARGS__)))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB
#define CUDARTAPI_CDECL
#define CUDAAPI
#define CUDA_CB
#define __specialization_static static

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDA_VERSION 12000
#define CUDART_VERSION 12000
#define __CUDART_API_VERSION 12000
#if !defined(__CUDA_ARCH__) && defined(__AMDGCN__)
#define FOREWARP_AMD 1
#define __HIP_PLATFORM_AMD__ 1
#define __HIPCC__ 1
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#endif
// What a kernel may ask of its architecture: __CUDA_ARCH__, or the newest on AMD.
#ifdef __CUDA_ARCH__
#define FOREWARP_ARCH __CUDA_ARCH__
#else
#define FOREWARP_ARCH 900
#endif

// Own functions leave no lines of their own: a cost belongs to the user's line that calls them.
#define FW_DEVICE static __inline__ __attribute__((device, always_inline, nodebug))
#define FW_BOTH static __inline__ __attribute__((host, device, always_inline, nodebug))
#define FW_MEMBER __inline__ __attribute__((host, device, always_inline, nodebug))
