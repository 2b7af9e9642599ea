// cuRAND's device side: the XORWOW generator (Marsaglia, Xorshift RNGs, 2003), the Philox 4x32-10 generator and their
// distributions. XORWOW's sequences begin 2^67 numbers apart as cuRAND's do, but a seed is spread over the first state in
// a way of our own: the numbers are not cuRAND's.
#pragma once
#pragma clang system_header
#include "forewarp_cuda/xorwow_matrices.h"

struct curandStateXORWOW {
  unsigned d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateXORWOW curandState;
typedef curandStateXORWOW curandState_t;
typedef curandStateXORWOW curandStateXORWOW_t;

FW_DEVICE unsigned curand(curandState* state) {
  unsigned t = state->v[0] ^ (state->v[0] >> 2);
  for (int i = 0; i < 4; ++i)
    state->v[i] = state->v[i + 1];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}

FW_DEVICE void fw_xorwow_jump(unsigned* state, const unsigned* matrix) {
  unsigned product[5] = {};
#pragma unroll
  for (int word = 0; word < 5; ++word)
#pragma unroll 1
    for (int bit = 0; bit < 32; ++bit)
      if (state[word] >> bit & 1)
#pragma unroll
        for (int k = 0; k < 5; ++k)
          product[k] ^= matrix[(word * 32 + bit) * 5 + k];
#pragma unroll
  for (int k = 0; k < 5; ++k)
    state[k] = product[k];
}
FW_DEVICE void skipahead(unsigned long long numbers, curandState* state) {
  for (; numbers > 0; --numbers)
    curand(state);
}
/// Sequence numbers count modulo 2^32. `d` returns to itself after 2^32 numbers.
FW_DEVICE void skipahead_sequence(unsigned long long sequences, curandState* state) {
  unsigned rest = static_cast<unsigned>(sequences);
#pragma unroll 1
  for (int digit = 0; rest != 0; ++digit, rest >>= 2)
#pragma unroll 1
    for (unsigned times = rest & 3; times > 0; --times)
      fw_xorwow_jump(state->v, fw_xorwow_sequences[digit]);
}
extern "C" __attribute__((device)) void fw_assume_xorwow(void);
FW_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandState* state) {
  fw_assume_xorwow();
  const unsigned low = static_cast<unsigned>(seed) * 0x9E3779B9u, high = static_cast<unsigned>(seed >> 32) * 0x85EBCA6Bu;
  curandState first = {6615241u + low + high,
                       {123456789u ^ low, 362436069u + low, 521288629u ^ high, 88675123u + high, 5783321u ^ (low + high)}};
  skipahead_sequence(sequence, &first);
  skipahead(offset, &first);
  *state = first;
}

/// Counter-based generator (Salmon et al., SC 2011): ten rounds on a 128-bit counter, four words at a time.
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

FW_DEVICE uint4 fw_philox(uint4 counter, uint2 key) {
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const unsigned high0 = __umulhi(0xD2511F53u, counter.x), low0 = 0xD2511F53u * counter.x;
    const unsigned high1 = __umulhi(0xCD9E8D57u, counter.z), low1 = 0xCD9E8D57u * counter.z;
    counter = {high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0};
    key = {key.x + 0x9E3779B9u, key.y + 0xBB67AE85u};
  }
  return counter;
}
FW_DEVICE void fw_philox_advance(curandStatePhilox4_32_10* state) {
  if (++state->ctr.x == 0 && ++state->ctr.y == 0 && ++state->ctr.z == 0)
    ++state->ctr.w;
  state->output = fw_philox(state->ctr, state->key);
}
FW_DEVICE void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                           curandStatePhilox4_32_10* state) {
  const unsigned long long block = offset / 4;
  state->ctr = {static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), static_cast<unsigned>(subsequence),
                static_cast<unsigned>(subsequence >> 32)};
  state->key = {static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)};
  state->STATE = static_cast<unsigned>(offset % 4);
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->output = fw_philox(state->ctr, state->key);
}
FW_DEVICE unsigned curand(curandStatePhilox4_32_10* state) {
  const unsigned which = state->STATE;
  const unsigned word = which == 0   ? state->output.x
                        : which == 1 ? state->output.y
                        : which == 2 ? state->output.z
                                     : state->output.w;
  state->STATE = (which + 1) & 3;
  if (state->STATE == 0)
    fw_philox_advance(state);
  return word;
}
FW_DEVICE uint4 curand4(curandStatePhilox4_32_10* state) {
  const uint4 before = state->output;
  fw_philox_advance(state);
  const uint4 after = state->output;
  switch (state->STATE) {
  case 0:
    return before;
  case 1:
    return {before.y, before.z, before.w, after.x};
  case 2:
    return {before.z, before.w, after.x, after.y};
  default:
    return {before.w, after.x, after.y, after.z};
  }
}

#include "forewarp_cuda/curand_other.h"

FW_DEVICE float fw_unit(unsigned word) { return static_cast<float>(word) * 2.3283064e-10f + 1.1641532e-10f; }
FW_DEVICE float2 fw_box_muller(float u, float v) {
  const float radius = sqrtf(-2.0f * logf(u)), angle = v * 6.2831855f;
  return {radius * sinf(angle), radius * cosf(angle)};
}

FW_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 words = curand4(state);
  return {fw_unit(words.x), fw_unit(words.y), fw_unit(words.z), fw_unit(words.w)};
}
FW_DEVICE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float4 u = curand_uniform4(state);
  const float2 a = fw_box_muller(u.x, u.y), b = fw_box_muller(u.z, u.w);
  return {a.x, a.y, b.x, b.y};
}

// Distributions of every generator that `curand` draws words from.
template <class State> FW_DEVICE float curand_uniform(State* state) { return fw_unit(curand(state)); }
template <class State> FW_DEVICE double curand_uniform_double(State* state) {
  const unsigned low = curand(state);
  const unsigned long long bits = low ^ static_cast<unsigned long long>(curand(state)) << 21;
  return static_cast<double>(bits) * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
template <class State> FW_DEVICE float2 curand_normal2(State* state) {
  const float u = curand_uniform(state);
  return fw_box_muller(u, curand_uniform(state));
}
template <class State> FW_DEVICE double2 curand_normal2_double(State* state) {
  const double radius = sqrt(-2.0 * log(curand_uniform_double(state)));
  const double angle = curand_uniform_double(state) * 6.2831853071795865;
  return {radius * sin(angle), radius * cos(angle)};
}
template <class State> FW_DEVICE float curand_normal(State* state) {
  if (state->boxmuller_flag) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 pair = curand_normal2(state);
  state->boxmuller_flag = 1;
  state->boxmuller_extra = pair.y;
  return pair.x;
}
template <class State> FW_DEVICE double curand_normal_double(State* state) {
  if (state->boxmuller_flag_double) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->boxmuller_flag_double = 1;
  state->boxmuller_extra_double = pair.y;
  return pair.x;
}
template <class State> FW_DEVICE float curand_log_normal(State* state, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(state));
}
template <class State> FW_DEVICE double curand_log_normal_double(State* state, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(state));
}
#include "forewarp_cuda/curand_sobol_normal.h"
