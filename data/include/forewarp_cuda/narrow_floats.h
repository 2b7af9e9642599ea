// What half and bfloat16 share: functions, shuffles of their bits, and the addition of a pair in memory.
#pragma once
#pragma clang system_header

// Through single precision, as the hardware's half functions are.
#define FW_NARROW_FUNCTION(type, pair, name, expression)                                                     \
  FW_DEVICE type h##name(type a) {                                                                           \
    float x = a;                                                                                             \
    return type(expression);                                                                                 \
  }                                                                                                          \
  FW_DEVICE pair h2##name(pair a) { return {h##name(a.x), h##name(a.y)}; }
#define FW_NARROW_FUNCTIONS(type, pair)                                                                      \
  FW_NARROW_FUNCTION(type, pair, exp, fw_native_exp(x))                                                      \
  FW_NARROW_FUNCTION(type, pair, exp2, fw_native_exp2(x))                                                    \
  FW_NARROW_FUNCTION(type, pair, exp10, fw_native_exp10(x))                                                  \
  FW_NARROW_FUNCTION(type, pair, log, fw_native_log(x))                                                      \
  FW_NARROW_FUNCTION(type, pair, log2, fw_native_log2(x))                                                    \
  FW_NARROW_FUNCTION(type, pair, log10, fw_native_log10(x))                                                  \
  FW_NARROW_FUNCTION(type, pair, sin, fw_native_sin(x))                                                      \
  FW_NARROW_FUNCTION(type, pair, cos, fw_native_cos(x))                                                      \
  FW_NARROW_FUNCTION(type, pair, sqrt, fw_native_sqrt(x))                                                    \
  FW_NARROW_FUNCTION(type, pair, rsqrt, fw_native_rsqrt(x))                                                  \
  FW_NARROW_FUNCTION(type, pair, rcp, fw_native_recip(x))                                                    \
  FW_NARROW_FUNCTION(type, pair, floor, __builtin_floorf(x))                                                 \
  FW_NARROW_FUNCTION(type, pair, ceil, __builtin_ceilf(x))                                                   \
  FW_NARROW_FUNCTION(type, pair, trunc, __builtin_truncf(x))                                                 \
  FW_NARROW_FUNCTION(type, pair, rint, __builtin_rintf(x))

#define FW_NARROW_SHUFFLE(type, pair, name, operand)                                                         \
  FW_DEVICE type name(fw_lanes mask, type v, operand by, int width = warpSize) {                             \
    const int bits = __builtin_bit_cast(unsigned short, v);                                                  \
    return __builtin_bit_cast(type, static_cast<unsigned short>(name(mask, bits, by, width)));               \
  }                                                                                                          \
  FW_DEVICE pair name(fw_lanes mask, pair v, operand by, int width = warpSize) {                             \
    return __builtin_bit_cast(pair, name(mask, __builtin_bit_cast(int, v), by, width));                      \
  }
#define FW_NARROW_SHUFFLES(type, pair)                                                                       \
  FW_NARROW_SHUFFLE(type, pair, __shfl_sync, int)                                                            \
  FW_NARROW_SHUFFLE(type, pair, __shfl_up_sync, unsigned)                                                    \
  FW_NARROW_SHUFFLE(type, pair, __shfl_down_sync, unsigned)                                                  \
  FW_NARROW_SHUFFLE(type, pair, __shfl_xor_sync, int)

template <class Pair> FW_DEVICE unsigned fw_add_to_word(unsigned word, Pair v) {
  return __builtin_bit_cast(unsigned, __builtin_bit_cast(Pair, word) + v);
}

/// Adds to the 4-byte word of a pair, where the hardware has no such operation: compare and swap until nobody
/// else has written it, as CUDA's own headers do. Returns the pair before.
template <class Pair> FW_DEVICE Pair fw_try_add_pair(Pair* p, Pair v) {
  unsigned* word = reinterpret_cast<unsigned*>(p);
  unsigned seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, fw_add_to_word(expected, v));
  } while (seen != expected);
  return __builtin_bit_cast(Pair, seen);
}

/// Where the hardware has the operation. Lanes of a warp on one word follow each other here as there; that it
/// expects no value of an earlier try tells the model that other warps do not hold it up (codegen/sites.cpp).
template <class Pair> FW_DEVICE Pair fw_atomic_add_pair(Pair* p, Pair v) {
  unsigned* word = reinterpret_cast<unsigned*>(p);
  unsigned expected;
  do
    expected = *word;
  while (atomicCAS(word, expected, fw_add_to_word(expected, v)) != expected);
  return __builtin_bit_cast(Pair, expected);
}

/// The same for one of them: its word holds a neighbour too. `add` is one of the two above.
template <class Pair, class T> FW_DEVICE T fw_add_one(T* p, T v, Pair (*add)(Pair*, Pair)) {
  const bool high = reinterpret_cast<__SIZE_TYPE__>(p) & 2;
  const T zero = T(0.0f);
  const Pair before = add(reinterpret_cast<Pair*>(p - high), high ? Pair{zero, v} : Pair{v, zero});
  return high ? before.y : before.x;
}
