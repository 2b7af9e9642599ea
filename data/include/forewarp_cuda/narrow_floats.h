// What half and bfloat16 share: shuffles of their bits, and the addition of a pair in memory.
#pragma once
#pragma clang system_header

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

/// Compare and swap on the 4-byte word of a pair until nobody else has written it; returns the pair before.
template <class Pair> FW_DEVICE Pair fw_atomic_add_pair(Pair* p, Pair v) {
  unsigned* word = reinterpret_cast<unsigned*>(p);
  unsigned seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __builtin_bit_cast(unsigned, __builtin_bit_cast(Pair, expected) + v));
  } while (seen != expected);
  return __builtin_bit_cast(Pair, seen);
}

/// The same for one of them: its word holds a neighbour too.
template <class Pair, class T> FW_DEVICE T fw_atomic_add_one(T* p, T v) {
  const bool high = reinterpret_cast<__SIZE_TYPE__>(p) & 2;
  const T zero = T(0.0f);
  const Pair before = fw_atomic_add_pair(reinterpret_cast<Pair*>(p - high), high ? Pair{zero, v} : Pair{v, zero});
  return high ? before.y : before.x;
}
