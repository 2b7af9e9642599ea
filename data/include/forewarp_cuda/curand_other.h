// cuRAND's MRG32k3a (L'Ecuyer, Operations Research 47(1), 1999) and its Sobol generators. A sequence of MRG32k3a begins where
// its number seeds it, not 2^76 numbers after the one before: the numbers are not cuRAND's, and starting costs less.
#pragma once
#pragma clang system_header

struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

FW_DEVICE unsigned curand(curandStateMRG32k3a* state) {
  constexpr unsigned long long m1 = 4294967087ull, m2 = 4294944443ull;
  const unsigned first = static_cast<unsigned>(
      (1403580ull * state->s1[1] + 810728ull * (m1 - state->s1[0])) % m1);
  const unsigned second = static_cast<unsigned>(
      (527612ull * state->s2[2] + 1370589ull * (m2 - state->s2[0])) % m2);
  state->s1[0] = state->s1[1], state->s1[1] = state->s1[2], state->s1[2] = first;
  state->s2[0] = state->s2[1], state->s2[1] = state->s2[2], state->s2[2] = second;
  return first > second ? first - second : first - second + static_cast<unsigned>(m1);
}
FW_DEVICE void skipahead(unsigned long long numbers, curandStateMRG32k3a* state) {
#pragma unroll 1
  for (; numbers > 0; --numbers)
    curand(state);
}
FW_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                           curandStateMRG32k3a* state) {
  const unsigned low = static_cast<unsigned>(seed) ^ 0x55555555u, high = static_cast<unsigned>(seed >> 32) ^ 0xAAAAAAAAu;
  const unsigned which = static_cast<unsigned>(sequence) * 0x9E3779B9u;
  for (int k = 0; k < 3; ++k) {
    state->s1[k] = (12345u + which * (k + 1)) * (low | 1) % 4294967087u;
    state->s2[k] = (12345u + which * (k + 1)) * (high | 1) % 4294944443u;
  }
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  skipahead(offset, state);
}

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
template <class Word, int bits> struct fw_sobol_state {
  Word i, x, c, direction_vectors[bits];
};
struct curandStateSobol32 : fw_sobol_state<unsigned, 32> {};
struct curandStateScrambledSobol32 : fw_sobol_state<unsigned, 32> {};
struct curandStateSobol64 : fw_sobol_state<unsigned long long, 64> {};
struct curandStateScrambledSobol64 : fw_sobol_state<unsigned long long, 64> {};
typedef curandStateSobol32 curandStateSobol32_t;
typedef curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef curandStateSobol64 curandStateSobol64_t;
typedef curandStateScrambledSobol64 curandStateScrambledSobol64_t;

/// The next number of a Gray code's order: one direction is put in or taken out.
template <class Word, int bits> FW_DEVICE Word fw_sobol_next(fw_sobol_state<Word, bits>* state) {
  const Word number = state->x;
  const int place = bits == 32 ? __ffs(static_cast<int>(~state->i)) : __ffsll(static_cast<long long>(~state->i));
  state->x ^= state->direction_vectors[(place == 0 ? bits : place) - 1];
  ++state->i;
  return number;
}
template <class Word, int bits>
FW_DEVICE void fw_sobol_start(const Word* directions, Word scramble, Word offset, fw_sobol_state<Word, bits>* state) {
  state->c = state->x = scramble;
  state->i = offset;
  const Word gray = offset ^ (offset >> 1);
#pragma unroll 4
  for (int k = 0; k < bits; ++k) {
    state->direction_vectors[k] = directions[k];
    if (gray >> k & 1)
      state->x ^= directions[k];
  }
}
#define FW_SOBOL(State, Word)                                                                                \
  FW_DEVICE Word curand(State* state) { return fw_sobol_next(state); }
FW_SOBOL(curandStateSobol32, unsigned)
FW_SOBOL(curandStateScrambledSobol32, unsigned)
FW_SOBOL(curandStateSobol64, unsigned long long)
FW_SOBOL(curandStateScrambledSobol64, unsigned long long)
#undef FW_SOBOL
FW_DEVICE void curand_init(const unsigned* directions, unsigned offset, curandStateSobol32* state) {
  fw_sobol_start(directions, 0u, offset, state);
}
FW_DEVICE void curand_init(const unsigned* directions, unsigned scramble, unsigned offset, curandStateScrambledSobol32* state) {
  fw_sobol_start(directions, scramble, offset, state);
}
FW_DEVICE void curand_init(const unsigned long long* directions, unsigned long long offset, curandStateSobol64* state) {
  fw_sobol_start(directions, 0ull, offset, state);
}
FW_DEVICE void curand_init(const unsigned long long* directions, unsigned long long scramble, unsigned long long offset,
                           curandStateScrambledSobol64* state) {
  fw_sobol_start(directions, scramble, offset, state);
}
