// Normal numbers of quasi-random generators: the inverse of the normal distribution's sum, as pairs would spoil the order.
#pragma once
#pragma clang system_header

#define FW_SOBOL_NORMAL(State)                                                                               \
  FW_DEVICE float curand_normal(State* state) { return normcdfinvf(curand_uniform(state)); }                 \
  FW_DEVICE double curand_normal_double(State* state) { return normcdfinv(curand_uniform_double(state)); }
FW_SOBOL_NORMAL(curandStateSobol32)
FW_SOBOL_NORMAL(curandStateScrambledSobol32)
FW_SOBOL_NORMAL(curandStateSobol64)
FW_SOBOL_NORMAL(curandStateScrambledSobol64)
#undef FW_SOBOL_NORMAL
