// HIP's names of the types of cuda_fp8.h.
#pragma once
#include "cuda_fp8.h"

typedef __nv_fp8_storage_t __hip_fp8_storage_t;
typedef __nv_fp8x2_storage_t __hip_fp8x2_storage_t;
typedef __nv_fp8x4_storage_t __hip_fp8x4_storage_t;
typedef __nv_fp8_interpretation_t __hip_fp8_interpretation_t;
typedef __nv_saturation_t __hip_saturation_t;
typedef __nv_fp8_e4m3 __hip_fp8_e4m3;
typedef __nv_fp8_e5m2 __hip_fp8_e5m2;
typedef __nv_fp8_e4m3 __hip_fp8_e4m3_fnuz;
typedef __nv_fp8_e5m2 __hip_fp8_e5m2_fnuz;
#define __HIP_E4M3 __NV_E4M3
#define __HIP_E5M2 __NV_E5M2
#define __HIP_E4M3_FNUZ __NV_E4M3
#define __HIP_E5M2_FNUZ __NV_E5M2
#define __HIP_SATFINITE __NV_SATFINITE
#define __HIP_NOSAT __NV_NOSAT
