#include <math.h>

#define GAMMA 1.4f
#define VISCOSITY 0.2f

enum { FACES = 4, MASS = 0, ENERGY = 4, VARIABLES = 5 };

/* Mass, three of momentum, energy. */
struct state {
  float q[VARIABLES], pressure, speed, sound;
};

static struct state complete(struct state s) {
  float squared = (s.q[1] * s.q[1] + s.q[2] * s.q[2] + s.q[3] * s.q[3]) / (s.q[MASS] * s.q[MASS]);
  s.speed = sqrtf(squared);
  s.pressure = (GAMMA - 1.0f) * (s.q[ENERGY] - 0.5f * s.q[MASS] * squared);
  s.sound = sqrtf(GAMMA * s.pressure / s.q[MASS]);
  return s;
}

static void add_flux(const struct state* s, const float* normal, float weight, float* sum) {
  float volume = (s->q[1] * normal[0] + s->q[2] * normal[1] + s->q[3] * normal[2]) / s->q[MASS];
  for (int v = 0; v < VARIABLES; ++v) {
    float flux = volume * s->q[v];
    if (v == ENERGY)
      flux += volume * s->pressure;
    else if (v != MASS)
      flux += s->pressure * normal[v - 1];
    sum[v] += weight * flux;
  }
}

void reference_cfd_flux(void** v) {
  const int* neighbour_distance = v[0];
  const float *face_normal = v[1], *density = v[2], *momentum = v[3], *energy = v[4], *free_stream = v[5];
  float *density_flux = v[6], *momentum_flux = v[7], *energy_flux = v[8];
  int elements = *(int*)v[9];
  for (int i = 0; i < elements; ++i) {
    struct state here = complete((struct state){
        {density[i], momentum[i], momentum[i + elements], momentum[i + 2 * elements], energy[i]}, 0, 0, 0});
    float sum[VARIABLES] = {0};
    for (int face = 0; face < FACES; ++face) {
      int at = i + face * elements, next = i + neighbour_distance[at];
      float normal[3];
      for (int axis = 0; axis < 3; ++axis)
        normal[axis] = face_normal[at + axis * FACES * elements];
      if (next < 0) {
        for (int axis = 0; axis < 3; ++axis)
          sum[1 + axis] += here.pressure * normal[axis];
        continue;
      }
      struct state there = {{0}, 0, 0, 0};
      float damping = 0;
      if (next >= elements) {
        for (int q = 0; q < VARIABLES; ++q)
          there.q[q] = free_stream[q];
        there = complete(there);
      } else {
        there = complete((struct state){
            {density[next], momentum[next], momentum[next + elements], momentum[next + 2 * elements], energy[next]}, 0, 0, 0});
        float area = sqrtf(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        damping = 0.5f * VISCOSITY * area * (here.speed + there.speed + here.sound + there.sound);
      }
      add_flux(&here, normal, 0.5f, sum);
      add_flux(&there, normal, 0.5f, sum);
      for (int q = 0; q < VARIABLES; ++q)
        sum[q] -= damping * (here.q[q] - there.q[q]);
    }
    density_flux[i] = sum[MASS];
    energy_flux[i] = sum[ENERGY];
    for (int axis = 0; axis < 3; ++axis)
      momentum_flux[i + axis * elements] = sum[1 + axis];
  }
}
