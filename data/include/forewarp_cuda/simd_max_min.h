// Sums, maxima and minima in one call, of words and of their halves. NOT modelled: the single instructions that they are
// since compute capability 9.0.
#pragma once
#pragma clang system_header

FW_DEVICE unsigned fw_average_of_lanes(unsigned a, unsigned b, int bits) {
  unsigned result = 0;
#pragma unroll
  for (int at = 0; at < 32; at += bits) {
    const int up = 32 - bits - at;
    const int sum = (static_cast<int>(a << up) >> (32 - bits)) + (static_cast<int>(b << up) >> (32 - bits));
    result |= ((sum + (sum >= 0)) >> 1 & ((1u << bits) - 1)) << at;
  }
  return result;
}
/// Signed averages, halves away from zero.
FW_DEVICE unsigned __vavgs2(unsigned a, unsigned b) { return fw_average_of_lanes(a, b, 16); }
FW_DEVICE unsigned __vavgs4(unsigned a, unsigned b) { return fw_average_of_lanes(a, b, 8); }

FW_DEVICE int fw_add(int a, int b) { return static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); }
FW_DEVICE unsigned fw_add(unsigned a, unsigned b) { return a + b; }

#define FW_MAX_MIN(kind, type, add, max, min)                                                                \
  FW_DEVICE type __viaddmax_##kind(type a, type b, type c) { return max(add(a, b), c); }                     \
  FW_DEVICE type __viaddmin_##kind(type a, type b, type c) { return min(add(a, b), c); }                     \
  FW_DEVICE type __vimax3_##kind(type a, type b, type c) { return max(max(a, b), c); }                       \
  FW_DEVICE type __vimin3_##kind(type a, type b, type c) { return min(min(a, b), c); }
// Signed results may be kept from below zero.
#define FW_MAX_MIN_RELU(kind, type, max, min)                                                                \
  FW_DEVICE type __viaddmax_##kind##_relu(type a, type b, type c) { return max(__viaddmax_##kind(a, b, c), type(0)); } \
  FW_DEVICE type __viaddmin_##kind##_relu(type a, type b, type c) { return max(__viaddmin_##kind(a, b, c), type(0)); } \
  FW_DEVICE type __vimax3_##kind##_relu(type a, type b, type c) { return max(__vimax3_##kind(a, b, c), type(0)); } \
  FW_DEVICE type __vimin3_##kind##_relu(type a, type b, type c) { return max(__vimin3_##kind(a, b, c), type(0)); } \
  FW_DEVICE type __vimax_##kind##_relu(type a, type b) { return max(max(a, b), type(0)); }                   \
  FW_DEVICE type __vimin_##kind##_relu(type a, type b) { return max(min(a, b), type(0)); }
FW_MAX_MIN(s32, int, fw_add, max, min)
FW_MAX_MIN(u32, unsigned, fw_add, max, min)
FW_MAX_MIN(s16x2, unsigned, __vadd2, __vmaxs2, __vmins2)
FW_MAX_MIN(u16x2, unsigned, __vadd2, __vmaxu2, __vminu2)
FW_MAX_MIN_RELU(s32, int, max, min)
FW_MAX_MIN_RELU(s16x2, unsigned, __vmaxs2, __vmins2)
#undef FW_MAX_MIN
#undef FW_MAX_MIN_RELU

// The larger (smaller) of two, and whether it is the first.
#define FW_MAX_MIN_WHICH(kind, type)                                                                         \
  FW_DEVICE type __vibmax_##kind(type a, type b, bool* first) { return (*first = a >= b) ? a : b; }          \
  FW_DEVICE type __vibmin_##kind(type a, type b, bool* first) { return (*first = a <= b) ? a : b; }
FW_MAX_MIN_WHICH(s32, int)
FW_MAX_MIN_WHICH(u32, unsigned)
#undef FW_MAX_MIN_WHICH
#define FW_MAX_MIN_WHICH_2(name, kind, choose, holds)                                                        \
  FW_DEVICE unsigned __vib##name##_##kind##16x2(unsigned a, unsigned b, bool* high, bool* low) {             \
    const unsigned lanes = holds(a, b);                                                                      \
    *high = lanes >> 31;                                                                                     \
    *low = lanes & 1;                                                                                        \
    return choose(a, b);                                                                                     \
  }
FW_MAX_MIN_WHICH_2(max, s, __vmaxs2, __vcmpges2)
FW_MAX_MIN_WHICH_2(min, s, __vmins2, __vcmples2)
FW_MAX_MIN_WHICH_2(max, u, __vmaxu2, __vcmpgeu2)
FW_MAX_MIN_WHICH_2(min, u, __vminu2, __vcmpleu2)
#undef FW_MAX_MIN_WHICH_2
