#include <stdlib.h>
#include <string.h>

static void step(const float* power, const float* heat, float* result, int columns, int rows, float capacity,
                 float across_x, float across_y, float across_z, float ambient) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      int i = row * columns + column;
      float west = heat[column > 0 ? i - 1 : i], east = heat[column < columns - 1 ? i + 1 : i];
      float north = heat[row > 0 ? i - columns : i], south = heat[row < rows - 1 ? i + columns : i];
      result[i] = heat[i] + capacity * (power[i] + (south + north - 2.0f * heat[i]) * across_y +
                                        (east + west - 2.0f * heat[i]) * across_x + (ambient - heat[i]) * across_z);
    }
}

void reference_hotspot(void** v) {
  const float *power = v[0], *heat = v[1];
  float* result = v[2];
  int columns = *(int*)v[3], rows = *(int*)v[4], steps = *(int*)v[5];
  size_t size = sizeof(float) * columns * rows;
  float* now = malloc(size);
  memcpy(now, heat, size);
  for (int s = 0; s < steps; ++s) {
    step(power, now, result, columns, rows, *(float*)v[6], *(float*)v[7], *(float*)v[8], *(float*)v[9], *(float*)v[10]);
    memcpy(now, result, size);
  }
  free(now);
}
