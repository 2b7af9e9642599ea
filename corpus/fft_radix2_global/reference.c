#include <math.h>

void fft_radix2_global(const float* in, float* out, int n, int span) {
  for (int i = 0; i < n / 2; ++i) {
    int k = i & (span - 1), j = ((i - k) << 1) + k, h = i + n / 2;
    double angle = -3.14159265358979 * k / span, c = cos(angle), s = sin(angle);
    double re = in[2 * h] * c - in[2 * h + 1] * s, im = in[2 * h] * s + in[2 * h + 1] * c;
    out[2 * j] = (float)(in[2 * i] + re);
    out[2 * j + 1] = (float)(in[2 * i + 1] + im);
    out[2 * (j + span)] = (float)(in[2 * i] - re);
    out[2 * (j + span) + 1] = (float)(in[2 * i + 1] - im);
  }
}

void reference_fft_radix2_global(void** v) { fft_radix2_global(v[0], v[1], *(int*)v[2], *(int*)v[3]); }
