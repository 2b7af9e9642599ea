// The driver API's types, so that host code and kernels that name them parse. What the runtime API declares stands in
// forewarp_cuda.h, which is included before every file. Calls of the driver API are host code, and passed over.
#pragma once
#pragma clang system_header

typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2 } CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUarray_st* CUarray;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
inline CUresult cuGetErrorName(CUresult, const char**) { return CUDA_SUCCESS; }
inline CUresult cuGetErrorString(CUresult, const char**) { return CUDA_SUCCESS; }

// Functions that host code is read through; others may be called with anything.
CUresult cuInit(unsigned flags);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGetName(char* name, int length, CUdevice device);
CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device);
CUresult cuCtxDestroy(CUcontext context);
CUresult cuCtxSynchronize();
CUresult cuModuleLoad(CUmodule* module, const char* file);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned options, void* names, void** values);
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name);
CUresult cuModuleUnload(CUmodule module);
CUresult cuMemAlloc(CUdeviceptr* pointer, __SIZE_TYPE__ bytes);
CUresult cuMemFree(CUdeviceptr pointer);
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, __SIZE_TYPE__ bytes);
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, __SIZE_TYPE__ bytes);
CUresult cuMemsetD32(CUdeviceptr to, unsigned value, __SIZE_TYPE__ count);
CUresult cuLaunchKernel(CUfunction kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** arguments,
                        void** extra);

#ifdef FOREWARP_RUN
// In a program that `forewarp run` builds: what beside the runtime's calls asks about the GPU. Other calls of the driver's
// API are not there, so that the linker names them.
inline CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
inline CUresult cuDriverGetVersion(int* version) { return static_cast<CUresult>(cudaDriverGetVersion(version)); }
inline CUresult cuDeviceGetCount(int* count) { return static_cast<CUresult>(cudaGetDeviceCount(count)); }
inline CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
inline CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  cudaDeviceProp facts;
  const cudaError_t error = cudaGetDeviceProperties(&facts, device);
  for (int k = 0; error == cudaSuccess && k < length; ++k)
    name[k] = k + 1 < length ? facts.name[k] : '\0';
  return static_cast<CUresult>(error);
}
inline CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice device) {
  cudaDeviceProp facts;
  const cudaError_t error = cudaGetDeviceProperties(&facts, device);
  *major = facts.major;
  *minor = facts.minor;
  return static_cast<CUresult>(error);
}
inline CUresult cuMemGetInfo(__SIZE_TYPE__* left, __SIZE_TYPE__* all) { return static_cast<CUresult>(cudaMemGetInfo(left, all)); }
inline CUresult cuDeviceTotalMem(__SIZE_TYPE__* bytes, CUdevice) {
  __SIZE_TYPE__ left = 0;
  return cuMemGetInfo(&left, bytes);
}
inline CUresult cuCtxSynchronize() { return static_cast<CUresult>(cudaDeviceSynchronize()); }
#endif
