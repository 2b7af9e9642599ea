// half and half2 on _Float16: arithmetic on two halves is one vector operation.
#pragma once
#pragma clang system_header

#include "forewarp_cuda/narrow_floats.h"

typedef _Float16 fw_half2_vector __attribute__((ext_vector_type(2)));

struct __half_raw {
  unsigned short x;
};
struct __half {
  _Float16 value;
  FW_MEMBER __half() = default;
  FW_MEMBER constexpr __half(_Float16 v) : value(v) {}
  FW_MEMBER constexpr __half(float v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(double v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(int v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(unsigned v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(long v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(unsigned long v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(long long v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER constexpr __half(unsigned long long v) : value(static_cast<_Float16>(v)) {}
  FW_MEMBER __half(__half_raw raw) : value(__builtin_bit_cast(_Float16, raw.x)) {}
  FW_MEMBER constexpr operator float() const { return static_cast<float>(value); }
  FW_MEMBER explicit operator bool() const { return value != static_cast<_Float16>(0); }
  FW_MEMBER explicit operator int() const { return static_cast<int>(value); }
};
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  FW_MEMBER __half2() = default;
  FW_MEMBER constexpr __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;

FW_BOTH fw_half2_vector fw_pair(__half2 v) { return {v.x.value, v.y.value}; }
FW_BOTH __half2 fw_pair(fw_half2_vector v) { return {__half(static_cast<_Float16>(v.x)), __half(static_cast<_Float16>(v.y))}; }

#define FW_HALF_OPERATOR(op, name, name2)                                                                    \
  FW_BOTH __half operator op(__half a, __half b) { return static_cast<_Float16>(a.value op b.value); }       \
  FW_BOTH __half2 operator op(__half2 a, __half2 b) { return fw_pair(fw_pair(a) op fw_pair(b)); }            \
  FW_BOTH __half name(__half a, __half b) { return a op b; }                                                 \
  FW_BOTH __half2 name2(__half2 a, __half2 b) { return a op b; }                                             \
  FW_BOTH __half name##_rn(__half a, __half b) { return a op b; }                                            \
  FW_BOTH __half2 name2##_rn(__half2 a, __half2 b) { return a op b; }                                        \
  FW_BOTH __half& operator op##=(__half& a, __half b) { return a = a op b; }                                 \
  FW_BOTH __half2& operator op##=(__half2& a, __half2 b) { return a = a op b; }
FW_HALF_OPERATOR(+, __hadd, __hadd2)
FW_HALF_OPERATOR(-, __hsub, __hsub2)
FW_HALF_OPERATOR(*, __hmul, __hmul2)
FW_HALF_OPERATOR(/, __hdiv, __h2div)
#undef FW_HALF_OPERATOR
FW_BOTH __half operator+(__half a) { return a; }
FW_BOTH __half2 operator+(__half2 a) { return a; }
FW_BOTH __half operator-(__half a) { return static_cast<_Float16>(-a.value); }
FW_BOTH __half2 operator-(__half2 a) { return fw_pair(-fw_pair(a)); }
FW_BOTH __half __hneg(__half a) { return -a; }
FW_BOTH __half2 __hneg2(__half2 a) { return -a; }
FW_BOTH __half __habs(__half a) { return static_cast<_Float16>(__builtin_fabsf16(a.value)); }
FW_BOTH __half2 __habs2(__half2 a) { return fw_pair(__builtin_elementwise_abs(fw_pair(a))); }

#define FW_HALF_COMPARE(op, name)                                                                            \
  FW_BOTH bool operator op(__half a, __half b) { return a.value op b.value; }                                \
  FW_BOTH bool __h##name(__half a, __half b) { return a.value op b.value; }                                  \
  FW_BOTH __half2 __h##name##2(__half2 a, __half2 b) {                                                       \
    return {__half(a.x.value op b.x.value ? 1.0f : 0.0f), __half(a.y.value op b.y.value ? 1.0f : 0.0f)};     \
  }                                                                                                          \
  FW_BOTH bool __hb##name##2(__half2 a, __half2 b) { return a.x.value op b.x.value && a.y.value op b.y.value; }
FW_HALF_COMPARE(==, eq)
FW_HALF_COMPARE(!=, ne)
FW_HALF_COMPARE(<, lt)
FW_HALF_COMPARE(<=, le)
FW_HALF_COMPARE(>, gt)
FW_HALF_COMPARE(>=, ge)
#undef FW_HALF_COMPARE
FW_BOTH bool __hisnan(__half a) { return a.value != a.value; }
FW_BOTH int __hisinf(__half a) { return __builtin_isinf(static_cast<float>(a.value)); }
FW_DEVICE __half __hmax(__half a, __half b) { return static_cast<_Float16>(__builtin_fmaxf16(a.value, b.value)); }
FW_DEVICE __half __hmin(__half a, __half b) { return static_cast<_Float16>(__builtin_fminf16(a.value, b.value)); }
FW_DEVICE __half2 __hmax2(__half2 a, __half2 b) { return fw_pair(__builtin_elementwise_max(fw_pair(a), fw_pair(b))); }
FW_DEVICE __half2 __hmin2(__half2 a, __half2 b) { return fw_pair(__builtin_elementwise_min(fw_pair(a), fw_pair(b))); }
FW_DEVICE __half __hfma(__half a, __half b, __half c) {
  return static_cast<_Float16>(__builtin_fmaf16(a.value, b.value, c.value));
}
FW_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return fw_pair(__builtin_elementwise_fma(fw_pair(a), fw_pair(b), fw_pair(c)));
}

FW_BOTH float __half2float(__half a) { return static_cast<float>(a.value); }
FW_BOTH __half __float2half(float a) { return __half(a); }
FW_BOTH __half __float2half_rn(float a) { return __half(a); }
FW_BOTH __half __double2half(double a) { return __half(a); }
FW_BOTH __half __int2half_rn(int a) { return __half(a); }
FW_BOTH __half __uint2half_rn(unsigned a) { return __half(a); }
FW_BOTH __half __short2half_rn(short a) { return __half(static_cast<int>(a)); }
FW_BOTH int __half2int_rz(__half a) { return static_cast<int>(a.value); }
FW_BOTH int __half2int_rn(__half a) { return static_cast<int>(__builtin_rintf(a)); }
FW_BOTH unsigned __half2uint_rz(__half a) { return static_cast<unsigned>(a.value); }
FW_BOTH __half2 __float2half2_rn(float a) { return {__half(a), __half(a)}; }
FW_BOTH __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
FW_BOTH __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
FW_BOTH float2 __half22float2(__half2 a) { return {static_cast<float>(a.x.value), static_cast<float>(a.y.value)}; }
FW_BOTH __half2 __half2half2(__half a) { return {a, a}; }
FW_BOTH __half2 __halves2half2(__half a, __half b) { return {a, b}; }
FW_BOTH __half2 make_half2(__half a, __half b) { return {a, b}; }
FW_BOTH __half __low2half(__half2 a) { return a.x; }
FW_BOTH __half __high2half(__half2 a) { return a.y; }
FW_BOTH float __low2float(__half2 a) { return a.x; }
FW_BOTH float __high2float(__half2 a) { return a.y; }
FW_BOTH __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
FW_BOTH __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
FW_BOTH __half2 __lowhigh2highlow(__half2 a) { return {a.y, a.x}; }
FW_BOTH unsigned short __half_as_ushort(__half a) { return __builtin_bit_cast(unsigned short, a.value); }
FW_BOTH short __half_as_short(__half a) { return __builtin_bit_cast(short, a.value); }
FW_BOTH __half __ushort_as_half(unsigned short a) { return __builtin_bit_cast(_Float16, a); }
FW_BOTH __half __short_as_half(short a) { return __builtin_bit_cast(_Float16, a); }

FW_NARROW_FUNCTIONS(__half, __half2)
FW_NARROW_SHUFFLES(__half, __half2)
#if FOREWARP_ARCH >= 600
FW_DEVICE __half2 atomicAdd(__half2* p, __half2 v) { return fw_atomic_add_pair(p, v); }
#endif
#if FOREWARP_ARCH >= 700
FW_DEVICE __half atomicAdd(__half* p, __half v) { return fw_add_one(p, v, fw_atomic_add_pair<__half2>); }
#endif
