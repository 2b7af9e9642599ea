void convolution_2d(const float* in, float* out, int width, int height) {
  static const float weight[3][3] = {{0.1f, 0.2f, -0.3f}, {0.4f, -0.5f, 0.6f}, {0.7f, -0.8f, 0.9f}};
  for (int y = 1; y < height - 1; ++y)
    for (int x = 1; x < width - 1; ++x) {
      float sum = 0.0f;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += weight[dy + 1][dx + 1] * in[(y + dy) * width + x + dx];
      out[y * width + x] = sum;
    }
}

void reference_convolution_2d(void** v) {
  convolution_2d(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
