// Inverses of the error function (Giles, Approximating the erfinv function, GPU Computing Gems, 2012) and of the normal
// distribution's sum. In double: the float's value and one step of Newton's, so that the work is not that of the library.
#pragma once
#pragma clang system_header

FW_DEVICE float erfinv(float x) {
  float w = -logf((1.0f - x) * (1.0f + x)), p;
  if (w < 5.0f) {
    w -= 2.5f;
    p = 2.81022636e-08f;
    p = 3.43273939e-07f + p * w;
    p = -3.5233877e-06f + p * w;
    p = -4.39150654e-06f + p * w;
    p = 0.00021858087f + p * w;
    p = -0.00125372503f + p * w;
    p = -0.00417768164f + p * w;
    p = 0.246640727f + p * w;
    p = 1.50140941f + p * w;
  } else {
    w = sqrtf(w) - 3.0f;
    p = -0.000200214257f;
    p = 0.000100950558f + p * w;
    p = 0.00134934322f + p * w;
    p = -0.00367342844f + p * w;
    p = 0.00573950773f + p * w;
    p = -0.0076224613f + p * w;
    p = 0.00943887047f + p * w;
    p = 1.00167406f + p * w;
    p = 2.83297682f + p * w;
  }
  return p * x;
}
FW_DEVICE double erfinv(double x) {
  const double y = erfinv(static_cast<float>(x));
  return y - (erf(y) - x) * 0.8862269254527580 * exp(y * y);
}
FW_DEVICE float erfcinv(float x) { return erfinv(1.0f - x); }
FW_DEVICE double erfcinv(double x) { return erfinv(1.0 - x); }
FW_DEVICE float normcdfinv(float p) { return 1.41421356f * erfinv(2.0f * p - 1.0f); }
FW_DEVICE double normcdfinv(double p) { return 1.4142135623730951 * erfinv(2.0 * p - 1.0); }
FW_DEVICE float erfinvf(float x) { return erfinv(x); }
FW_DEVICE float erfcinvf(float x) { return erfcinv(x); }
FW_DEVICE float normcdfinvf(float x) { return normcdfinv(x); }
