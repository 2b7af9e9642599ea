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
