static int clamp_to(int value, int limit) { return value < 0 ? 0 : value >= limit ? limit - 1 : value; }

void stencil_2d(const float* in, float* out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int up = clamp_to(y - 1, height), down = clamp_to(y + 1, height);
      int left = clamp_to(x - 1, width), right = clamp_to(x + 1, width);
      out[y * width + x] = 0.5f * in[y * width + x] + 0.125f * (in[up * width + x] + in[down * width + x] +
                                                                in[y * width + left] + in[y * width + right]);
    }
}

void reference_stencil_2d(void** v) { stencil_2d(v[0], v[1], *(int*)v[2], *(int*)v[3]); }
