// 8-bit floating point, one, two or four: stored in bytes, converted by way of half. NOT modelled: the conversion instructions of compute
// capability 8.9 and later.
#pragma once
#pragma clang system_header

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

// The bits of a half, less `dropped` of its mantissa, to nearest even.
FW_BOTH unsigned fw_rounded_half(unsigned bits, int dropped) {
  return (bits + (1u << (dropped - 1)) - 1 + (bits >> dropped & 1)) >> dropped;
}
/// Saturating, as the constructors of the toolkit's types are; NaN stays NaN.
FW_BOTH __nv_fp8_storage_t __nv_cvt_float_to_fp8(float v, __nv_saturation_t, __nv_fp8_interpretation_t kind) {
  const float limit = kind == __NV_E4M3 ? 448.0f : 57344.0f;
  const float kept = __builtin_fminf(__builtin_fmaxf(v, -limit), limit);
  // e4m3's exponents begin 8 above half's: scaled down by 2^8 the same bits mean the same number
  const _Float16 half = static_cast<_Float16>(kind == __NV_E4M3 ? kept * 0x1p-8f : kept);
  const unsigned bits = __builtin_bit_cast(unsigned short, half);
  const unsigned magnitude = fw_rounded_half(bits & 0x7fffu, kind == __NV_E4M3 ? 7 : 8);
  return static_cast<__nv_fp8_storage_t>(v != v ? 0x7fu : (bits >> 8 & 0x80u) | magnitude);
}
FW_BOTH float fw_fp8_to_float(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  const unsigned sign = (v & 0x80u) << 8, magnitude = v & 0x7fu;
  const unsigned short bits = static_cast<unsigned short>(sign | magnitude << (kind == __NV_E4M3 ? 7 : 8));
  const float half = static_cast<float>(__builtin_bit_cast(_Float16, bits));
  if (kind == __NV_E5M2)
    return half;
  return magnitude == 0x7fu ? __builtin_nanf("") : half * 0x1p8f;
}
FW_BOTH __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw v, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(static_cast<float>(__builtin_bit_cast(_Float16, v.x)), s, kind);
}
FW_BOTH __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 v, __nv_saturation_t s, __nv_fp8_interpretation_t kind) {
  return static_cast<__nv_fp8x2_storage_t>(__nv_cvt_float_to_fp8(v.x, s, kind) | __nv_cvt_float_to_fp8(v.y, s, kind) << 8);
}
FW_BOTH __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t v, __nv_fp8_interpretation_t kind) {
  return {__builtin_bit_cast(unsigned short, static_cast<_Float16>(fw_fp8_to_float(v, kind)))};
}

// Of the pairs and fours only conversions from and to floats.
#define FW_FP8_GROUPS(name2, name4, kind)                                                                    \
  struct name2 {                                                                                             \
    __nv_fp8x2_storage_t __x;                                                                                \
    name2() = default;                                                                                       \
    FW_MEMBER explicit name2(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}           \
    FW_MEMBER explicit name2(__half2 v) : name2(__half22float2(v)) {}                                        \
    FW_MEMBER explicit name2(__nv_bfloat162 v) : name2(__bfloat1622float2(v)) {}                             \
    FW_MEMBER explicit operator float2() const {                                                             \
      return {fw_fp8_to_float(__x & 0xff, kind), fw_fp8_to_float(__x >> 8, kind)};                           \
    }                                                                                                        \
    FW_MEMBER explicit operator __half2() const { return __float22half2_rn(static_cast<float2>(*this)); }    \
  };                                                                                                         \
  struct name4 {                                                                                             \
    __nv_fp8x4_storage_t __x;                                                                                \
    name4() = default;                                                                                       \
    FW_MEMBER explicit name4(float4 v)                                                                       \
        : __x(name2(float2{v.x, v.y}).__x | static_cast<unsigned>(name2(float2{v.z, v.w}).__x) << 16) {}     \
    FW_MEMBER explicit name4(__half2 low, __half2 high)                                                      \
        : __x(name2(low).__x | static_cast<unsigned>(name2(high).__x) << 16) {}                              \
    FW_MEMBER explicit name4(__nv_bfloat162 low, __nv_bfloat162 high)                                        \
        : __x(name2(low).__x | static_cast<unsigned>(name2(high).__x) << 16) {}                              \
    FW_MEMBER explicit operator float4() const {                                                             \
      return {fw_fp8_to_float(__x & 0xff, kind), fw_fp8_to_float(__x >> 8 & 0xff, kind),                     \
              fw_fp8_to_float(__x >> 16 & 0xff, kind), fw_fp8_to_float(__x >> 24, kind)};                    \
    }                                                                                                        \
  };

#define FW_FP8(name, kind)                                                                                   \
  struct name {                                                                                              \
    __nv_fp8_storage_t __x;                                                                                  \
    FW_MEMBER name() = default;                                                                              \
    FW_MEMBER explicit name(float v) : __x(__nv_cvt_float_to_fp8(v, __NV_SATFINITE, kind)) {}                \
    FW_MEMBER explicit name(double v) : name(static_cast<float>(v)) {}                                       \
    FW_MEMBER explicit name(int v) : name(static_cast<float>(v)) {}                                          \
    FW_MEMBER explicit name(__half v) : name(static_cast<float>(v)) {}                                       \
    FW_MEMBER explicit name(__nv_bfloat16 v) : name(static_cast<float>(v)) {}                                \
    FW_MEMBER explicit operator float() const { return fw_fp8_to_float(__x, kind); }                         \
    FW_MEMBER explicit operator double() const { return fw_fp8_to_float(__x, kind); }                        \
    FW_MEMBER explicit operator __half() const { return __half(fw_fp8_to_float(__x, kind)); }                \
    FW_MEMBER explicit operator __nv_bfloat16() const { return __nv_bfloat16(fw_fp8_to_float(__x, kind)); }  \
  };
FW_FP8(__nv_fp8_e4m3, __NV_E4M3)
FW_FP8(__nv_fp8_e5m2, __NV_E5M2)
#undef FW_FP8
FW_FP8_GROUPS(__nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
FW_FP8_GROUPS(__nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)
#undef FW_FP8_GROUPS
