#include <math.h>

void nearest_neighbour(const float* place, float* distance_to, int places, float latitude, float longitude) {
  for (int i = 0; i < places; ++i) {
    float north = latitude - place[2 * i], east = longitude - place[2 * i + 1];
    distance_to[i] = sqrtf(north * north + east * east);
  }
}

void reference_nearest_neighbour(void** v) {
  nearest_neighbour(v[0], v[1], *(int*)v[2], *(float*)v[3], *(float*)v[4]);
}
