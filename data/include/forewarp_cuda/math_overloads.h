// C++'s overloads: float under C's double names, integers promoted to double, min, max, abs and the classifications.
#pragma once
#pragma clang system_header

FW_DEVICE float sin(float x) { return sinf(x); }
FW_DEVICE float cos(float x) { return cosf(x); }
FW_DEVICE float exp(float x) { return expf(x); }
FW_DEVICE float exp2(float x) { return exp2f(x); }
FW_DEVICE float exp10(float x) { return exp10f(x); }
FW_DEVICE float log(float x) { return logf(x); }
FW_DEVICE float log2(float x) { return log2f(x); }
FW_DEVICE float log10(float x) { return log10f(x); }
FW_DEVICE float pow(float x, float y) { return powf(x, y); }
FW_DEVICE float sqrt(float x) { return sqrtf(x); }
FW_DEVICE float fabs(float x) { return __builtin_fabsf(x); }
FW_DEVICE float floor(float x) { return __builtin_floorf(x); }
FW_DEVICE float ceil(float x) { return __builtin_ceilf(x); }
FW_DEVICE float trunc(float x) { return __builtin_truncf(x); }
FW_DEVICE float rint(float x) { return __builtin_rintf(x); }
FW_DEVICE float round(float x) { return __builtin_roundf(x); }
FW_DEVICE float fmin(float x, float y) { return __builtin_fminf(x, y); }
FW_DEVICE float fmax(float x, float y) { return __builtin_fmaxf(x, y); }
FW_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
FW_DEVICE float fmod(float x, float y) { return __builtin_fmodf(x, y); }
FW_DEVICE float copysign(float x, float y) { return __builtin_copysignf(x, y); }
#ifdef __HIPCC__
FW_DEVICE float pow(float x, int n) { return powf(x, static_cast<float>(n)); }
#else // C++11's: an integer counts as a double
FW_DEVICE double pow(float x, int n) { return fw_library_pow(static_cast<double>(x), static_cast<double>(n)); }
#endif
FW_DEVICE double pow(double x, int n) { return fw_library_pow(x, static_cast<double>(n)); }
// float with double is a double computation.
FW_DEVICE double pow(float x, double y) { return fw_library_pow(static_cast<double>(x), y); }
FW_DEVICE double pow(double x, float y) { return fw_library_pow(x, static_cast<double>(y)); }
FW_DEVICE double fmax(float x, double y) { return __builtin_fmax(x, y); }
FW_DEVICE double fmax(double x, float y) { return __builtin_fmax(x, y); }
FW_DEVICE double fmin(float x, double y) { return __builtin_fmin(x, y); }
FW_DEVICE double fmin(double x, float y) { return __builtin_fmin(x, y); }
FW_DEVICE double fmod(float x, double y) { return __builtin_fmod(x, y); }
FW_DEVICE double fmod(double x, float y) { return __builtin_fmod(x, y); }
FW_DEVICE double atan2(float x, double y) { return atan2(static_cast<double>(x), y); }
FW_DEVICE double atan2(double x, float y) { return atan2(x, static_cast<double>(y)); }

template <bool condition, class T> struct fw_enable {};
template <class T> struct fw_enable<true, T> {
  using type = T;
};
#define FW_IF_INTEGER(T) typename fw_enable<__is_integral(T), double>::type
#define FW_INTEGER_UNARY(name)                                                                               \
  template <class T> FW_DEVICE FW_IF_INTEGER(T) name(T x) { return name(static_cast<double>(x)); }
#define FW_INTEGER_BINARY(name)                                                                              \
  template <class T, class U>                                                                                \
  FW_DEVICE typename fw_enable<__is_integral(T) && __is_arithmetic(U), double>::type name(T x, U y) {        \
    return name(static_cast<double>(x), static_cast<double>(y));                                             \
  }                                                                                                          \
  template <class T, class U>                                                                                \
  FW_DEVICE typename fw_enable<__is_floating_point(T) && __is_integral(U), double>::type name(T x, U y) {    \
    return name(static_cast<double>(x), static_cast<double>(y));                                             \
  }
FW_INTEGER_UNARY(sin)
FW_INTEGER_UNARY(cos)
FW_INTEGER_UNARY(tan)
FW_INTEGER_UNARY(exp)
FW_INTEGER_UNARY(exp2)
FW_INTEGER_UNARY(log)
FW_INTEGER_UNARY(log2)
FW_INTEGER_UNARY(log10)
FW_INTEGER_UNARY(sqrt)
FW_INTEGER_UNARY(rsqrt)
FW_INTEGER_UNARY(fabs)
FW_INTEGER_UNARY(floor)
FW_INTEGER_UNARY(ceil)
FW_INTEGER_UNARY(round)
FW_INTEGER_BINARY(pow)
FW_INTEGER_BINARY(fmin)
FW_INTEGER_BINARY(fmax)
FW_INTEGER_BINARY(fmod)
FW_INTEGER_BINARY(atan2)
#undef FW_INTEGER_UNARY
#undef FW_INTEGER_BINARY
#undef FW_IF_INTEGER

// Two functions each: a host-and-device one would be ambiguous with std's where a source says `using namespace std`.
#define FW_CLASSIFY_ON(side, type)                                                                           \
  side bool isnan(type x) { return __builtin_isnan(x); }                                                     \
  side bool isinf(type x) { return __builtin_isinf(x); }                                                     \
  side bool isfinite(type x) { return __builtin_isfinite(x); }                                               \
  side bool isnormal(type x) { return __builtin_isnormal(x); }                                               \
  side bool signbit(type x) { return __builtin_signbit(x); }
#define FW_HOST static __inline__ __attribute__((host))
FW_CLASSIFY_ON(FW_DEVICE, float)
FW_CLASSIFY_ON(FW_DEVICE, double)
FW_CLASSIFY_ON(FW_HOST, float)
#if __cplusplus >= 201103L
FW_CLASSIFY_ON(FW_HOST, double)
#endif
#undef FW_CLASSIFY_ON
FW_DEVICE int __isnan(double x) { return __builtin_isnan(x); }
FW_DEVICE int __isnanf(float x) { return __builtin_isnan(x); }
FW_DEVICE int __isinff(float x) { return __builtin_isinf(x); }
FW_DEVICE int __finitef(float x) { return __builtin_isfinite(x); }

FW_DEVICE int abs(int x) { return __builtin_abs(x); }
FW_DEVICE long labs(long x) { return __builtin_labs(x); }
FW_DEVICE long long llabs(long long x) { return __builtin_llabs(x); }
FW_DEVICE long abs(long x) { return __builtin_labs(x); }
FW_DEVICE long long abs(long long x) { return __builtin_llabs(x); }
FW_DEVICE float abs(float x) { return __builtin_fabsf(x); }
FW_DEVICE double abs(double x) { return __builtin_fabs(x); }

// Host code may call these as well: CUDA declares them for both sides.
#define FW_MIN_MAX(type)                                                                                     \
  FW_BOTH type min(type a, type b) { return b < a ? b : a; }                                                 \
  FW_BOTH type max(type a, type b) { return a < b ? b : a; }
FW_MIN_MAX(int)
FW_MIN_MAX(unsigned)
FW_MIN_MAX(long)
FW_MIN_MAX(unsigned long)
FW_MIN_MAX(long long)
FW_MIN_MAX(unsigned long long)
#undef FW_MIN_MAX
// Mixed signs compare as C++ converts them.
#define FW_MIN_MAX_MIXED(a_type, b_type, type)                                                               \
  FW_BOTH type min(a_type a, b_type b) { return min(static_cast<type>(a), static_cast<type>(b)); }           \
  FW_BOTH type max(a_type a, b_type b) { return max(static_cast<type>(a), static_cast<type>(b)); }
FW_MIN_MAX_MIXED(int, unsigned, unsigned)
FW_MIN_MAX_MIXED(unsigned, int, unsigned)
FW_MIN_MAX_MIXED(long, unsigned long, unsigned long)
FW_MIN_MAX_MIXED(unsigned long, long, unsigned long)
FW_MIN_MAX_MIXED(long long, unsigned long long, unsigned long long)
FW_MIN_MAX_MIXED(unsigned long long, long long, unsigned long long)
#undef FW_MIN_MAX_MIXED
FW_BOTH float min(float a, float b) { return __builtin_fminf(a, b); }
FW_BOTH float max(float a, float b) { return __builtin_fmaxf(a, b); }
FW_BOTH double min(double a, double b) { return __builtin_fmin(a, b); }
FW_BOTH double max(double a, double b) { return __builtin_fmax(a, b); }
FW_BOTH double min(float a, double b) { return __builtin_fmin(a, b); }
FW_BOTH double min(double a, float b) { return __builtin_fmin(a, b); }
FW_BOTH double max(float a, double b) { return __builtin_fmax(a, b); }
FW_BOTH double max(double a, float b) { return __builtin_fmax(a, b); }
FW_DEVICE unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
FW_DEVICE unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
FW_DEVICE long long llmin(long long a, long long b) { return a < b ? a : b; }
FW_DEVICE long long llmax(long long a, long long b) { return a < b ? b : a; }
FW_DEVICE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
FW_DEVICE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
