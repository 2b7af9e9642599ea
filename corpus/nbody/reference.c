#include <math.h>

void nbody(const float* body, float* acceleration, int n) {
  for (int i = 0; i < n; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; ++j) {
      double dx = body[4 * j] - body[4 * i], dy = body[4 * j + 1] - body[4 * i + 1];
      double dz = body[4 * j + 2] - body[4 * i + 2];
      double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + 1.0e-4);
      double scale = body[4 * j + 3] * inverse * inverse * inverse;
      ax += dx * scale;
      ay += dy * scale;
      az += dz * scale;
    }
    acceleration[4 * i] = (float)ax;
    acceleration[4 * i + 1] = (float)ay;
    acceleration[4 * i + 2] = (float)az;
    acceleration[4 * i + 3] = 0;
  }
}

void reference_nbody(void** v) { nbody(v[0], v[1], *(int*)v[2]); }
