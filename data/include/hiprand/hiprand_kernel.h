// hipRAND's device functions as cuRAND's.
#pragma once
#include "curand_kernel.h"

#define hiprandState curandState
#define hiprandState_t curandState_t
#define hiprandStateXORWOW_t curandStateXORWOW_t
#define hiprandStatePhilox4_32_10_t curandStatePhilox4_32_10_t
#define hiprand_init curand_init
#define hiprand curand
#define hiprand4 curand4
#define hiprand_uniform curand_uniform
#define hiprand_uniform4 curand_uniform4
#define hiprand_uniform_double curand_uniform_double
#define hiprand_normal curand_normal
#define hiprand_normal2 curand_normal2
#define hiprand_normal4 curand_normal4
#define hiprand_normal_double curand_normal_double
