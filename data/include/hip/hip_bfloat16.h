// HIP's older name of the type of cuda_bf16.h.
#pragma once
#include "cuda_bf16.h"

#define hip_bfloat16 __nv_bfloat16
