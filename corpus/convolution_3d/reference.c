struct Tap {
  int z, y, x;
  float weight;
};

static const struct Tap taps[] = {
    {-1, -1, -1, 0.2f}, {-1, 0, -1, 0.5f}, {-1, 1, -1, -0.8f}, {0, -1, 0, -0.3f},
    {0, 0, 0, 0.6f},    {0, 1, 0, -0.9f},  {1, -1, 1, 0.4f},   {1, 0, 1, 0.7f},
    {1, 1, 1, 0.1f},    {0, 0, -1, 0.25f}, {0, 0, 1, -0.25f},
};

void convolution_3d(const float* in, float* out, int n, int plane) {
  for (int y = 1; y < n - 1; ++y)
    for (int x = 1; x < n - 1; ++x) {
      float sum = 0.0f;
      for (unsigned i = 0; i < sizeof taps / sizeof *taps; ++i)
        sum += taps[i].weight * in[((plane + taps[i].z) * n + y + taps[i].y) * n + x + taps[i].x];
      out[(plane * n + y) * n + x] = sum;
    }
}

void reference_convolution_3d(void** v) {
  convolution_3d(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
