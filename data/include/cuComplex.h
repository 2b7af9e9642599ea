// Complex numbers of the toolkit: two floats or two doubles.
#pragma once
#pragma clang system_header

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define FW_COMPLEX(Complex, Real, suffix, make, magnitude, root, largest)                                    \
  FW_BOTH Complex make(Real re, Real im) { return {re, im}; }                                                \
  FW_BOTH Real cuCreal##suffix(Complex a) { return a.x; }                                                    \
  FW_BOTH Real cuCimag##suffix(Complex a) { return a.y; }                                                    \
  FW_BOTH Complex cuConj##suffix(Complex a) { return {a.x, -a.y}; }                                          \
  FW_BOTH Complex cuCadd##suffix(Complex a, Complex b) { return {a.x + b.x, a.y + b.y}; }                    \
  FW_BOTH Complex cuCsub##suffix(Complex a, Complex b) { return {a.x - b.x, a.y - b.y}; }                    \
  FW_BOTH Complex cuCmul##suffix(Complex a, Complex b) {                                                     \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                                   \
  }                                                                                                          \
  FW_BOTH Complex cuCfma##suffix(Complex a, Complex b, Complex c) {                                          \
    return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                                       \
  }                                                                                                          \
  FW_DEVICE Complex cuCdiv##suffix(Complex a, Complex b) {                                                   \
    const Real scale = Real(1) / (magnitude(b.x) + magnitude(b.y));                                          \
    const Real ar = a.x * scale, ai = a.y * scale, br = b.x * scale, bi = b.y * scale;                       \
    const Real norm = Real(1) / (br * br + bi * bi);                                                         \
    return {(ar * br + ai * bi) * norm, (ai * br - ar * bi) * norm};                                         \
  }                                                                                                          \
  /* The toolkit's takes a division and a root, not hypot. */                                                \
  FW_DEVICE Real cuCabs##suffix(Complex a) {                                                                 \
    const Real x = magnitude(a.x), y = magnitude(a.y);                                                       \
    const Real high = x > y ? x : y, low = x > y ? y : x;                                                    \
    const Real ratio = low / high;                                                                           \
    const Real length = high * root(Real(1) + ratio * ratio);                                                \
    return high == Real(0) || high > largest || low > largest ? high + low : length;                         \
  }
FW_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex, __builtin_fabsf, sqrtf, 3.402823466e38f)
FW_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex, __builtin_fabs, sqrt, 1.79769313486231570e+308)
#undef FW_COMPLEX
FW_BOTH cuComplex make_cuComplex(float re, float im) { return {re, im}; }
FW_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }
FW_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return {static_cast<float>(a.x), static_cast<float>(a.y)};
}
