#include <math.h>

void transcendentals(const float* in, float* out, int n, int rounds) {
  for (int i = 0; i < n; ++i) {
    float v = in[i];
    for (int r = 0; r < rounds; ++r)
      v = sinf(v) + 0.5f; /* function 0, the kernel's default */
    out[i] = v;
  }
}

void reference_transcendentals(void** v) {
  transcendentals(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
