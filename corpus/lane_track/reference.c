#include <math.h>

enum { WIDTH = 512, HEIGHT = 96 };

static unsigned advance(unsigned state) {
  return state * 1664525u + 1013904223u;
}
static double uniform_of(unsigned state) {
  return ((state >> 8) + 0.5) / 16777216.0;
}
static double clamp(double x) {
  return x < 0 ? 0 : x > WIDTH - 2 ? WIDTH - 2 : x;
}

static double weigh(const unsigned char* marking, double bottom, double top) {
  double sum = 0;
  for (int y = 0; y < HEIGHT; ++y) {
    double x = clamp(top + (bottom - top) * y / (HEIGHT - 1));
    const unsigned char* here = marking + y * WIDTH + (int)x;
    sum += here[0] + (x - (int)x) * (here[1] - here[0]);
  }
  return exp(sum / (128.0 * HEIGHT) - 1);
}

void lane_track(const unsigned char* marking, const float* particle, float* moved, float* weight,
                float spread, unsigned seed, int particles) {
  for (int i = 0; i < particles; ++i) {
    unsigned first = advance(seed ^ ((unsigned)i * 2654435769u)), second = advance(first);
    double radius = spread * sqrt(-2 * log(uniform_of(first)));
    double angle = 2 * 3.14159265358979323846 * uniform_of(second) - 3.14159265358979323846;
    double bottom = clamp(particle[2 * i] * (WIDTH - 2.0) + radius * cos(angle));
    double top = clamp(particle[2 * i + 1] * (WIDTH - 2.0) + radius * sin(angle));
    moved[2 * i] = (float)bottom;
    moved[2 * i + 1] = (float)top;
    weight[i] = (float)weigh(marking, bottom, top);
  }
}

void reference_lane_track(void** v) {
  lane_track(v[0], v[1], v[2], v[3], *(float*)v[4], *(unsigned*)v[5], *(int*)v[6]);
}
