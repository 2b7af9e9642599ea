// bfloat16: stored in 16 bits, computed in single precision. NOT modelled: the packed bfloat16 operations of compute
// capability 8.0 and later.
#pragma once
#pragma clang system_header

#include "forewarp_cuda/narrow_floats.h"

struct __nv_bfloat16 {
  unsigned short bits;
  FW_MEMBER __nv_bfloat16() = default;
  FW_MEMBER __nv_bfloat16(float v) {
    unsigned word = __builtin_bit_cast(unsigned, v);
    bits = static_cast<unsigned short>((word + 0x7fffu + (word >> 16 & 1)) >> 16);
  }
  FW_MEMBER __nv_bfloat16(double v) : __nv_bfloat16(static_cast<float>(v)) {}
  FW_MEMBER __nv_bfloat16(int v) : __nv_bfloat16(static_cast<float>(v)) {}
  FW_MEMBER operator float() const { return __builtin_bit_cast(float, static_cast<unsigned>(bits) << 16); }
};
struct __attribute__((aligned(4))) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  FW_MEMBER __nv_bfloat162() = default;
  FW_MEMBER __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define FW_BFLOAT_OPERATOR(op, name)                                                                         \
  FW_BOTH __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) {                                      \
    return static_cast<float>(a) op static_cast<float>(b);                                                   \
  }                                                                                                          \
  FW_BOTH __nv_bfloat162 operator op(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x op b.x, a.y op b.y}; } \
  FW_BOTH __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }                            \
  FW_BOTH __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) { return a op b; }                      \
  FW_BOTH __nv_bfloat16& operator op##=(__nv_bfloat16& a, __nv_bfloat16 b) { return a = a op b; }            \
  FW_BOTH __nv_bfloat162& operator op##=(__nv_bfloat162& a, __nv_bfloat162 b) { return a = a op b; }
FW_BFLOAT_OPERATOR(+, __hadd)
FW_BFLOAT_OPERATOR(-, __hsub)
FW_BFLOAT_OPERATOR(*, __hmul)
FW_BFLOAT_OPERATOR(/, __hdiv)
#undef FW_BFLOAT_OPERATOR
FW_BOTH __nv_bfloat16 operator+(__nv_bfloat16 a) { return a; }
FW_BOTH __nv_bfloat162 operator+(__nv_bfloat162 a) { return a; }
FW_BOTH __nv_bfloat16 operator-(__nv_bfloat16 a) { return -static_cast<float>(a); }
FW_BOTH __nv_bfloat162 operator-(__nv_bfloat162 a) { return {-a.x, -a.y}; }

#define FW_BFLOAT_COMPARE(op, name)                                                                          \
  FW_BOTH bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) op static_cast<float>(b); } \
  FW_BOTH bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }
FW_BFLOAT_COMPARE(==, eq)
FW_BFLOAT_COMPARE(!=, ne)
FW_BFLOAT_COMPARE(<, lt)
FW_BFLOAT_COMPARE(<=, le)
FW_BFLOAT_COMPARE(>, gt)
FW_BFLOAT_COMPARE(>=, ge)
#undef FW_BFLOAT_COMPARE
FW_BOTH bool __hisnan(__nv_bfloat16 a) { return a != a; }
FW_BOTH int __hisinf(__nv_bfloat16 a) { return __builtin_isinf(static_cast<float>(a)); }
FW_DEVICE __nv_bfloat16 __habs(__nv_bfloat16 a) { return __builtin_fabsf(a); }
FW_DEVICE __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
FW_DEVICE __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __builtin_fmaxf(a, b); }
FW_DEVICE __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __builtin_fminf(a, b); }
FW_DEVICE __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
FW_DEVICE __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
FW_DEVICE __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __builtin_fmaf(a, b, c);
}
FW_DEVICE __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
FW_BOTH __nv_bfloat16 __float2bfloat16(float a) { return a; }
FW_BOTH __nv_bfloat16 __float2bfloat16_rn(float a) { return a; }
FW_BOTH float __bfloat162float(__nv_bfloat16 a) { return a; }
FW_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return {a, b}; }
FW_BOTH __nv_bfloat162 __float2bfloat162_rn(float a) { return {a, a}; }
FW_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
FW_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return {a.x, a.y}; }
FW_BOTH float __low2float(__nv_bfloat162 a) { return a.x; }
FW_BOTH float __high2float(__nv_bfloat162 a) { return a.y; }
FW_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 a) { return {a.x, a.y}; }
FW_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return {a, a}; }
FW_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
FW_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
FW_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
FW_BOTH __nv_bfloat16 __double2bfloat16(double a) { return a; }
FW_BOTH __nv_bfloat16 __int2bfloat16_rn(int a) { return a; }
FW_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned a) { return static_cast<float>(a); }
FW_BOTH int __bfloat162int_rn(__nv_bfloat16 a) { return static_cast<int>(__builtin_rintf(a)); }
FW_BOTH int __bfloat162int_rz(__nv_bfloat16 a) { return static_cast<int>(static_cast<float>(a)); }
FW_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
FW_BOTH short __bfloat16_as_short(__nv_bfloat16 a) { return static_cast<short>(a.bits); }
FW_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) { return __builtin_bit_cast(__nv_bfloat16, a); }
FW_BOTH __nv_bfloat16 __short_as_bfloat16(short a) { return __builtin_bit_cast(__nv_bfloat16, a); }

FW_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
FW_NARROW_SHUFFLES(__nv_bfloat16, __nv_bfloat162)
#if FOREWARP_ARCH >= 900
#define FW_ADD_PAIR fw_atomic_add_pair<__nv_bfloat162>
#else
#define FW_ADD_PAIR fw_try_add_pair<__nv_bfloat162>
#endif
#if FOREWARP_ARCH >= 800
FW_DEVICE __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 v) { return FW_ADD_PAIR(p, v); }
FW_DEVICE __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) { return fw_add_one(p, v, FW_ADD_PAIR); }
#endif
#undef FW_ADD_PAIR
