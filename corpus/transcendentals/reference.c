#include <math.h>

#ifndef FUNCTION
#define FUNCTION 0
#endif

static float step(float v) {
  switch (FUNCTION) {
  case 1:
    return expf(-v);
  case 2:
    return logf(v + 2.0f);
  case 3:
    return sqrtf(v + 1.0f);
  case 4:
    return 1.5f / (v + 1.0f);
  default:
    return sinf(v) + 0.5f;
  }
}

void transcendentals(const float* in, float* out, int n, int rounds) {
  for (int i = 0; i < n; ++i) {
    float v = in[i];
    for (int r = 0; r < rounds; ++r)
      v = step(v);
    out[i] = v;
  }
}

void reference_transcendentals(void** v) {
  transcendentals(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
