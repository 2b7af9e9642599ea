// The element types of cuFFT, which kernels before and after a transform take; its calls are host code, and passed over.
#pragma once
#pragma clang system_header
#include "cuComplex.h"

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;
enum cufftResult { CUFFT_SUCCESS = 0 };
enum cufftType { CUFFT_R2C, CUFFT_C2R, CUFFT_C2C, CUFFT_D2Z, CUFFT_Z2D, CUFFT_Z2Z };
enum { CUFFT_FORWARD = -1, CUFFT_INVERSE = 1 };
