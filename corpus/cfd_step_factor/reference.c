#include <math.h>

#define GAMMA 1.4f

void cfd_step_factor(const float* density, const float* momentum, const float* energy, const float* area,
                     float* step_factor, int elements) {
  for (int i = 0; i < elements; ++i) {
    float speed_squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      float velocity = momentum[i + axis * elements] / density[i];
      speed_squared += velocity * velocity;
    }
    float pressure = (GAMMA - 1.0f) * (energy[i] - 0.5f * density[i] * speed_squared);
    float sound = sqrtf(GAMMA * pressure / density[i]);
    step_factor[i] = 0.5f / (sqrtf(area[i]) * (sqrtf(speed_squared) + sound));
  }
}

void reference_cfd_step_factor(void** v) { cfd_step_factor(v[0], v[1], v[2], v[3], v[4], *(int*)v[5]); }
