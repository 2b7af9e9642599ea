#include <math.h>

enum { RADIX = 16 };

/* Each small transform by its definition. */
void fft_radix16_global(const float* in, float* out, int n, int span) {
  for (int i = 0; i < n / RADIX; ++i) {
    int k = i % span, first = (i - k) * RADIX + k;
    for (int p = 0; p < RADIX; ++p) {
      double re = 0, im = 0;
      for (int r = 0; r < RADIX; ++r) {
        double angle = -2 * 3.14159265358979323846 * r * (k / (double)span + p) / RADIX, c = cos(angle),
               s = sin(angle);
        const float* v = in + 2 * (i + r * (n / RADIX));
        re += v[0] * c - v[1] * s;
        im += v[0] * s + v[1] * c;
      }
      out[2 * (first + p * span)] = (float)re;
      out[2 * (first + p * span) + 1] = (float)im;
    }
  }
}

void reference_fft_radix16_global(void** v) {
  fft_radix16_global(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
