#include <math.h>

static int clamped(int value, int most) { return value < 0 ? 0 : value > most ? most : value; }

void reference_particle_likelihood(void** v) {
  const float *noise_x = v[0], *noise_y = v[1];
  const int* disk = v[2];
  const unsigned char* video = v[3];
  float *place_x = v[4], *place_y = v[5], *weight = v[6];
  int particles = *(int*)v[7], pixels = *(int*)v[8], rows = *(int*)v[9], columns = *(int*)v[10], frame = *(int*)v[11];
  for (int p = 0; p < particles; ++p) {
    place_x[p] = place_x[p] + 1.0f + 5.0f * noise_x[p];
    place_y[p] = place_y[p] - 2.0f + 2.0f * noise_y[p];
    int row = (int)rintf(place_y[p]), column = (int)rintf(place_x[p]);
    double sum = 0;
    for (int i = 0; i < pixels; ++i) {
      int r = clamped(row + disk[2 * i], rows - 1), c = clamped(column + disk[2 * i + 1], columns - 1);
      double intensity = video[(frame * rows + r) * columns + c];
      sum += ((intensity - 100) * (intensity - 100) - (intensity - 228) * (intensity - 228)) / 50;
    }
    weight[p] *= (float)exp(0.01 * sum / pixels);
  }
}
