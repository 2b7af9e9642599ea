// cuFFT: its words, and for host code that is read for its launches functions that take anything.
#pragma once
#pragma clang system_header
#include "cuComplex.h"

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
enum cufftResult { CUFFT_SUCCESS, CUFFT_INVALID_PLAN, CUFFT_ALLOC_FAILED, CUFFT_INVALID_TYPE, CUFFT_INVALID_VALUE, CUFFT_INTERNAL_ERROR,
  CUFFT_EXEC_FAILED, CUFFT_SETUP_FAILED, CUFFT_INVALID_SIZE, CUFFT_UNALIGNED_DATA, CUFFT_NOT_SUPPORTED = 16 };
enum cufftType { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 };
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
#ifdef FOREWARP_RUN
extern "C" {
cufftResult cufftPlan1d(cufftHandle*, int, cufftType, int);
cufftResult cufftPlan2d(cufftHandle*, int, int, cufftType);
cufftResult cufftPlan3d(cufftHandle*, int, int, int, cufftType);
cufftResult cufftPlanMany(cufftHandle*, int, int*, int*, int, int, int*, int, int, cufftType, int);
cufftResult cufftCreate(cufftHandle*);
cufftResult cufftMakePlan1d(cufftHandle, int, cufftType, int, size_t*);
cufftResult cufftMakePlan2d(cufftHandle, int, int, cufftType, size_t*);
cufftResult cufftMakePlan3d(cufftHandle, int, int, int, cufftType, size_t*);
cufftResult cufftMakePlanMany(cufftHandle, int, int*, int*, int, int, int*, int, int, cufftType, int, size_t*);
cufftResult cufftExecC2C(cufftHandle, cufftComplex*, cufftComplex*, int);
cufftResult cufftExecZ2Z(cufftHandle, cufftDoubleComplex*, cufftDoubleComplex*, int);
cufftResult cufftExecR2C(cufftHandle, cufftReal*, cufftComplex*);
cufftResult cufftExecD2Z(cufftHandle, cufftDoubleReal*, cufftDoubleComplex*);
cufftResult cufftExecC2R(cufftHandle, cufftComplex*, cufftReal*);
cufftResult cufftExecZ2D(cufftHandle, cufftDoubleComplex*, cufftDoubleReal*);
cufftResult cufftSetStream(cufftHandle, cudaStream_t);
cufftResult cufftSetAutoAllocation(cufftHandle, int);
cufftResult cufftSetWorkArea(cufftHandle, void*);
cufftResult cufftGetSize(cufftHandle, size_t*);
cufftResult cufftGetVersion(int*);
cufftResult cufftDestroy(cufftHandle);
}
#endif
