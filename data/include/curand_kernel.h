// cuRAND's device side: the XORWOW generator's step and its distributions. curand_init is declared only: a kernel that
// seeds is refused by that name.
#pragma once
#pragma clang system_header

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;

__attribute__((device)) void curand_init(unsigned long long, unsigned long long, unsigned long long, curandState*);

FW_DEVICE unsigned curand(curandState* state) {
  unsigned t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i)
    state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}
FW_DEVICE float curand_uniform(curandState* state) {
  return static_cast<float>(curand(state)) * 2.3283064e-10f + 1.1641532e-10f;
}
FW_DEVICE double curand_uniform_double(curandState* state) {
  unsigned x = curand(state);
  unsigned long long z = static_cast<unsigned long long>(x) ^ static_cast<unsigned long long>(curand(state)) << 21;
  return static_cast<double>(z) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
FW_DEVICE float2 curand_normal2(curandState* state) {
  float u = curand_uniform(state), v = curand_uniform(state) * 6.2831855f;
  float radius = sqrtf(-2.0f * logf(u));
  return {radius * sinf(v), radius * cosf(v)};
}
FW_DEVICE float curand_normal(curandState* state) {
  if (state->boxmuller_flag) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  float2 pair = curand_normal2(state);
  state->boxmuller_flag = 1;
  state->boxmuller_extra = pair.y;
  return pair.x;
}
