// Double precision, under C's names; names that lowered.h declares for both precisions are not repeated.
#pragma once
#pragma clang system_header

FW_DEVICE double sin(double x) { return __builtin_sin(x); }
FW_DEVICE double cos(double x) { return __builtin_cos(x); }
FW_DEVICE double exp(double x) { return __builtin_exp(x); }
FW_DEVICE double exp2(double x) { return __builtin_exp2(x); }
FW_DEVICE double exp10(double x) { return __builtin_exp10(x); }
FW_DEVICE double log(double x) { return __builtin_log(x); }
FW_DEVICE double log2(double x) { return __builtin_log2(x); }
FW_DEVICE double log10(double x) { return __builtin_log10(x); }
FW_DEVICE double pow(double x, double y) { return fw_library_pow(x, y); }
FW_DEVICE double sqrt(double x) { return __builtin_sqrt(x); }
FW_DEVICE double fabs(double x) { return __builtin_fabs(x); }
FW_DEVICE double floor(double x) { return __builtin_floor(x); }
FW_DEVICE double ceil(double x) { return __builtin_ceil(x); }
FW_DEVICE double trunc(double x) { return __builtin_trunc(x); }
FW_DEVICE double rint(double x) { return __builtin_rint(x); }
FW_DEVICE double nearbyint(double x) { return __builtin_rint(x); }
FW_DEVICE double round(double x) { return __builtin_round(x); }
FW_DEVICE double fmin(double x, double y) { return __builtin_fmin(x, y); }
FW_DEVICE double fmax(double x, double y) { return __builtin_fmax(x, y); }
FW_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
FW_DEVICE double copysign(double x, double y) { return __builtin_copysign(x, y); }
FW_DEVICE double fmod(double x, double y) { return __builtin_fmod(x, y); }
FW_DEVICE double rcbrt(double x) { return 1.0 / cbrt(x); }
FW_DEVICE double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
FW_DEVICE double norm3d(double x, double y, double z) { return __builtin_sqrt(x * x + y * y + z * z); }
FW_DEVICE double rnorm3d(double x, double y, double z) { return rsqrt(x * x + y * y + z * z); }
FW_DEVICE double norm4d(double x, double y, double z, double w) {
  return __builtin_sqrt(x * x + y * y + z * z + w * w);
}
FW_DEVICE double scalbn(double x, int n) { return ldexp(x, n); }
FW_DEVICE double scalbln(double x, long n) { return ldexp(x, static_cast<int>(n)); }
FW_DEVICE long lrint(double x) { return static_cast<long>(fw_long_rn(x)); }
FW_DEVICE long long llrint(double x) { return fw_long_rn(x); }
FW_DEVICE long lround(double x) { return static_cast<long>(__builtin_round(x)); }
FW_DEVICE long long llround(double x) { return static_cast<long long>(__builtin_round(x)); }
FW_DEVICE double nan(const char*) { return __builtin_nan(""); }
FW_DEVICE void sincos(double x, double* s, double* c) {
  *s = __builtin_sin(x);
  *c = __builtin_cos(x);
}
FW_DEVICE void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
