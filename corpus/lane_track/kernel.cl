// Lane detection on 640 x 480 frames (the application of Wang, Huang, Knoll, Qian 2019, section VI), step 3: each
// work-item moves one particle (columns of a line at the bottom and at the top) by Gaussian noise from its own random
// numbers, and weighs it by the markings under it, between two pixels by their mean.
#define WIDTH 512
#define HEIGHT 96

uint advance(uint state) { return state * 1664525u + 1013904223u; }

float uniform_of(uint state) { return ((float)(state >> 8) + 0.5f) * (1.0f / 16777216.0f); }

__kernel void lane_track(__global const uchar* marking, __global const float2* particle, __global float2* moved,
                         __global float* weight, float spread, uint seed, int particles) {
  int i = get_global_id(0);
  if (i >= particles)
    return;
  uint state = advance(seed ^ ((uint)i * 2654435769u));
  float radius = spread * sqrt(-2.0f * native_log(uniform_of(state)));
  state = advance(state);
  float angle = 6.28318530718f * uniform_of(state) - 3.14159265359f;
  float2 line = particle[i] * (float)(WIDTH - 2);
  line.x = clamp(line.x + radius * native_cos(angle), 0.0f, (float)(WIDTH - 2));
  line.y = clamp(line.y + radius * native_sin(angle), 0.0f, (float)(WIDTH - 2));
  float step = (line.x - line.y) / (float)(HEIGHT - 1);
  float sum = 0.0f;
  for (int y = 0; y < HEIGHT; ++y) {
    float x = clamp(line.y + step * (float)y, 0.0f, (float)(WIDTH - 2));
    int column = (int)x;
    float part = x - (float)column;
    float left = (float)marking[y * WIDTH + column], right = (float)marking[y * WIDTH + column + 1];
    sum += left + part * (right - left);
  }
  moved[i] = line;
  weight[i] = native_exp(sum / (128.0f * (float)HEIGHT) - 1.0f);
}
