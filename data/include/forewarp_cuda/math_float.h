// Single precision. Precise forms stand on Clang's built-ins (LLVM intrinsics) or OpenCL's names; the double-underscore
// forms and -use_fast_math on the hardware's approximations.
#pragma once
#pragma clang system_header

FW_DEVICE float __sinf(float x) { return fw_native_sin(x); }
FW_DEVICE float __cosf(float x) { return fw_native_cos(x); }
FW_DEVICE float __tanf(float x) { return fw_native_tan(x); }
FW_DEVICE float __expf(float x) { return fw_native_exp(x); }
FW_DEVICE float __exp2f(float x) { return fw_native_exp2(x); }
FW_DEVICE float __exp10f(float x) { return fw_native_exp10(x); }
FW_DEVICE float __logf(float x) { return fw_native_log(x); }
FW_DEVICE float __log2f(float x) { return fw_native_log2(x); }
FW_DEVICE float __log10f(float x) { return fw_native_log10(x); }
FW_DEVICE float __powf(float x, float y) { return fw_native_powr(x, y); }
FW_DEVICE float __fdividef(float x, float y) { return fw_native_divide(x, y); }
FW_DEVICE float fdividef(float x, float y) { return fw_native_divide(x, y); }
FW_DEVICE float __frsqrt_rn(float x) { return rsqrt(x); }
FW_DEVICE float __saturatef(float x) { return __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f); }
FW_DEVICE void __sincosf(float x, float* s, float* c) {
  *s = fw_native_sin(x);
  *c = fw_native_cos(x);
}

#ifdef __USE_FAST_MATH__
FW_DEVICE float sinf(float x) { return __sinf(x); }
FW_DEVICE float cosf(float x) { return __cosf(x); }
FW_DEVICE float tanf(float x) { return __tanf(x); }
FW_DEVICE float expf(float x) { return __expf(x); }
FW_DEVICE float exp2f(float x) { return __exp2f(x); }
FW_DEVICE float exp10f(float x) { return __exp10f(x); }
FW_DEVICE float logf(float x) { return __logf(x); }
FW_DEVICE float log2f(float x) { return __log2f(x); }
FW_DEVICE float log10f(float x) { return __log10f(x); }
FW_DEVICE float powf(float x, float y) { return __powf(x, y); }
FW_DEVICE float sqrtf(float x) { return fw_native_sqrt(x); }
FW_DEVICE float rsqrtf(float x) { return fw_native_rsqrt(x); }
FW_DEVICE float tanhf(float x) { return 1.0f - fw_native_divide(2.0f, __expf(2.0f * x) + 1.0f); }
#else
FW_DEVICE float sinf(float x) { return __builtin_sinf(x); }
FW_DEVICE float cosf(float x) { return __builtin_cosf(x); }
FW_DEVICE float tanf(float x) { return tan(x); }
FW_DEVICE float expf(float x) { return __builtin_expf(x); }
FW_DEVICE float exp2f(float x) { return __builtin_exp2f(x); }
FW_DEVICE float exp10f(float x) { return __builtin_exp10f(x); }
FW_DEVICE float logf(float x) { return __builtin_logf(x); }
FW_DEVICE float log2f(float x) { return __builtin_log2f(x); }
FW_DEVICE float log10f(float x) { return __builtin_log10f(x); }
FW_DEVICE float powf(float x, float y) { return fw_library_pow(x, y); }
FW_DEVICE float sqrtf(float x) { return __builtin_sqrtf(x); }
FW_DEVICE float rsqrtf(float x) { return rsqrt(x); }
FW_DEVICE float tanhf(float x) { return tanh(x); }
#endif

FW_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
FW_DEVICE float floorf(float x) { return __builtin_floorf(x); }
FW_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
FW_DEVICE float truncf(float x) { return __builtin_truncf(x); }
FW_DEVICE float rintf(float x) { return __builtin_rintf(x); }
FW_DEVICE float nearbyintf(float x) { return __builtin_rintf(x); }
FW_DEVICE float roundf(float x) { return __builtin_roundf(x); }
FW_DEVICE float fminf(float x, float y) { return __builtin_fminf(x, y); }
FW_DEVICE float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
FW_DEVICE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
FW_DEVICE float copysignf(float x, float y) { return __builtin_copysignf(x, y); }
FW_DEVICE float fmodf(float x, float y) { return __builtin_fmodf(x, y); }
FW_DEVICE float asinf(float x) { return asin(x); }
FW_DEVICE float acosf(float x) { return acos(x); }
FW_DEVICE float atanf(float x) { return atan(x); }
FW_DEVICE float sinhf(float x) { return sinh(x); }
FW_DEVICE float coshf(float x) { return cosh(x); }
FW_DEVICE float acoshf(float x) { return acosh(x); }
FW_DEVICE float asinhf(float x) { return asinh(x); }
FW_DEVICE float atanhf(float x) { return atanh(x); }
FW_DEVICE float atan2f(float x, float y) { return atan2(x, y); }
FW_DEVICE float cbrtf(float x) { return cbrt(x); }
FW_DEVICE float rcbrtf(float x) { return 1.0f / cbrt(x); }
FW_DEVICE float sinpif(float x) { return sinpi(x); }
FW_DEVICE float cospif(float x) { return cospi(x); }
FW_DEVICE float erff(float x) { return erf(x); }
FW_DEVICE float erfcf(float x) { return erfc(x); }
FW_DEVICE float erfcxf(float x) { return erfcx(x); }
FW_DEVICE float normcdff(float x) { return normcdf(x); }
FW_DEVICE float expm1f(float x) { return expm1(x); }
FW_DEVICE float log1pf(float x) { return log1p(x); }
FW_DEVICE float logbf(float x) { return logb(x); }
FW_DEVICE float lgammaf(float x) { return lgamma(x); }
FW_DEVICE float tgammaf(float x) { return tgamma(x); }
FW_DEVICE float fdimf(float x, float y) { return fdim(x, y); }
FW_DEVICE float hypotf(float x, float y) { return hypot(x, y); }
FW_DEVICE float rhypotf(float x, float y) { return 1.0f / hypot(x, y); }
FW_DEVICE float norm3df(float x, float y, float z) { return __builtin_sqrtf(x * x + y * y + z * z); }
FW_DEVICE float rnorm3df(float x, float y, float z) { return rsqrt(x * x + y * y + z * z); }
FW_DEVICE float norm4df(float x, float y, float z, float w) {
  return __builtin_sqrtf(x * x + y * y + z * z + w * w);
}
FW_DEVICE float nextafterf(float x, float y) { return nextafter(x, y); }
FW_DEVICE float remainderf(float x, float y) { return remainder(x, y); }
FW_DEVICE int ilogbf(float x) { return ilogb(x); }
FW_DEVICE float ldexpf(float x, int n) { return ldexp(x, n); }
FW_DEVICE float scalbnf(float x, int n) { return ldexp(x, n); }
FW_DEVICE float scalblnf(float x, long n) { return ldexp(x, static_cast<int>(n)); }
FW_DEVICE float frexpf(float x, int* e) { return frexp(x, e); }
FW_DEVICE float modff(float x, float* whole) { return modf(x, whole); }
FW_DEVICE float j0f(float x) { return j0(x); }
FW_DEVICE float j1f(float x) { return j1(x); }
FW_DEVICE float y0f(float x) { return y0(x); }
FW_DEVICE float y1f(float x) { return y1(x); }
FW_DEVICE long lrintf(float x) { return static_cast<long>(fw_long_rn(x)); }
FW_DEVICE long long llrintf(float x) { return fw_long_rn(x); }
FW_DEVICE long lroundf(float x) { return static_cast<long>(__builtin_roundf(x)); }
FW_DEVICE long long llroundf(float x) { return static_cast<long long>(__builtin_roundf(x)); }
FW_DEVICE float nanf(const char*) { return __builtin_nanf(""); }
FW_DEVICE void sincosf(float x, float* s, float* c) {
  *s = sinf(x);
  *c = cosf(x);
}
FW_DEVICE void sincospif(float x, float* s, float* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
