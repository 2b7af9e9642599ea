// Conversions with a rounding mode, reinterpretations, and arithmetic that is never fused.
#pragma once
#pragma clang system_header

FW_DEVICE int __float2int_rz(float x) { return static_cast<int>(x); }
FW_DEVICE unsigned __float2uint_rz(float x) { return static_cast<unsigned>(x); }
FW_DEVICE long long __float2ll_rz(float x) { return static_cast<long long>(x); }
FW_DEVICE unsigned long long __float2ull_rz(float x) { return static_cast<unsigned long long>(x); }
FW_DEVICE int __double2int_rz(double x) { return static_cast<int>(x); }
FW_DEVICE unsigned __double2uint_rz(double x) { return static_cast<unsigned>(x); }
FW_DEVICE long long __double2ll_rz(double x) { return static_cast<long long>(x); }
FW_DEVICE unsigned long long __double2ull_rz(double x) { return static_cast<unsigned long long>(x); }

#define FW_ROUNDED(mode)                                                                                     \
  FW_DEVICE int __float2int_##mode(float x) { return fw_int_##mode(x); }                                     \
  FW_DEVICE unsigned __float2uint_##mode(float x) { return fw_uint_##mode(x); }                              \
  FW_DEVICE long long __float2ll_##mode(float x) { return fw_long_##mode(x); }                               \
  FW_DEVICE unsigned long long __float2ull_##mode(float x) { return fw_ulong_##mode(x); }                    \
  FW_DEVICE int __double2int_##mode(double x) { return fw_int_##mode(x); }                                   \
  FW_DEVICE unsigned __double2uint_##mode(double x) { return fw_uint_##mode(x); }                            \
  FW_DEVICE long long __double2ll_##mode(double x) { return fw_long_##mode(x); }                             \
  FW_DEVICE unsigned long long __double2ull_##mode(double x) { return fw_ulong_##mode(x); }
FW_ROUNDED(rn)
FW_ROUNDED(rd)
FW_ROUNDED(ru)
#undef FW_ROUNDED

// One machine operation whatever the mode: values in directed modes are those of rounding to nearest (NOT modelled).
#define FW_TO_FLOATING(mode)                                                                                 \
  FW_DEVICE float __int2float_##mode(int x) { return static_cast<float>(x); }                                \
  FW_DEVICE float __uint2float_##mode(unsigned x) { return static_cast<float>(x); }                          \
  FW_DEVICE float __ll2float_##mode(long long x) { return static_cast<float>(x); }                           \
  FW_DEVICE float __ull2float_##mode(unsigned long long x) { return static_cast<float>(x); }                 \
  FW_DEVICE double __ll2double_##mode(long long x) { return static_cast<double>(x); }                        \
  FW_DEVICE double __ull2double_##mode(unsigned long long x) { return static_cast<double>(x); }              \
  FW_DEVICE float __double2float_##mode(double x) { return static_cast<float>(x); }                          \
  FW_DEVICE float __fmaf_##mode(float x, float y, float z) { return __builtin_fmaf(x, y, z); }               \
  FW_DEVICE double __fma_##mode(double x, double y, double z) { return __builtin_fma(x, y, z); }             \
  FW_DEVICE float __fsqrt_##mode(float x) { return __builtin_sqrtf(x); }                                     \
  FW_DEVICE double __dsqrt_##mode(double x) { return __builtin_sqrt(x); }                                    \
  FW_UNFUSED(float, __fadd_##mode, +)                                                                        \
  FW_UNFUSED(float, __fsub_##mode, -)                                                                        \
  FW_UNFUSED(float, __fmul_##mode, *)                                                                        \
  FW_UNFUSED(float, __fdiv_##mode, /)                                                                        \
  FW_UNFUSED(double, __dadd_##mode, +)                                                                       \
  FW_UNFUSED(double, __dsub_##mode, -)                                                                       \
  FW_UNFUSED(double, __dmul_##mode, *)                                                                       \
  FW_UNFUSED(double, __ddiv_##mode, /)                                                                       \
  FW_DEVICE float __frcp_##mode(float x) { return 1.0f / x; }                                                \
  FW_DEVICE double __drcp_##mode(double x) { return 1.0 / x; }
#define FW_UNFUSED(type, name, op)                                                                           \
  FW_DEVICE type name(type x, type y) {                                                                      \
    _Pragma("clang fp contract(off)") return x op y;                                                         \
  }
FW_TO_FLOATING(rn)
FW_TO_FLOATING(rz)
FW_TO_FLOATING(rd)
FW_TO_FLOATING(ru)
#undef FW_TO_FLOATING
#undef FW_UNFUSED
FW_DEVICE double __int2double_rn(int x) { return x; }
FW_DEVICE double __uint2double_rn(unsigned x) { return x; }

FW_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
FW_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
FW_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
FW_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
FW_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
FW_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
FW_DEVICE int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x)); }
FW_DEVICE int __double2hiint(double x) { return static_cast<int>(__builtin_bit_cast(long long, x) >> 32); }
FW_DEVICE double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(double, static_cast<long long>(static_cast<unsigned long long>(high) << 32 |
                                                           static_cast<unsigned>(low)));
}
