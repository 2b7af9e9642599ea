#include <math.h>

enum { POINTS = 512 };

/* The transform by its definition, so that a fault of the fast algorithm cannot hide in both. */
static void transform(const float* in, float* out) {
  for (int k = 0; k < POINTS; ++k) {
    double re = 0, im = 0;
    for (int i = 0; i < POINTS; ++i) {
      double angle = -2 * 3.14159265358979323846 * ((long)k * i % POINTS) / POINTS;
      re += in[2 * i] * cos(angle) - in[2 * i + 1] * sin(angle);
      im += in[2 * i] * sin(angle) + in[2 * i + 1] * cos(angle);
    }
    out[2 * k] = (float)re;
    out[2 * k + 1] = (float)im;
  }
}

void fft_radix2_shared(const float* in, float* out, int n) {
  for (int first = 0; first < n; first += POINTS)
    transform(in + 2 * first, out + 2 * first);
}

void reference_fft_radix2_shared(void** v) { fft_radix2_shared(v[0], v[1], *(int*)v[2]); }
