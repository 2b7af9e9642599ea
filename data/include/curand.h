// cuRAND's host library: types and a few functions, so that host code parses.
#pragma once
#pragma clang system_header
typedef struct curandGenerator_st* curandGenerator_t;
typedef int curandStatus_t;
enum { CURAND_STATUS_SUCCESS = 0 };
enum curandRngType_t { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MT19937 = 141 };
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t*, curandRngType_t);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t, unsigned long long);
curandStatus_t curandGenerateUniform(curandGenerator_t, float*, size_t);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t, double*, size_t);
curandStatus_t curandGenerateNormal(curandGenerator_t, float*, size_t, float, float);
curandStatus_t curandDestroyGenerator(curandGenerator_t);
}
