void transpose_naive(const float* in, float* out, int width, int height) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      out[x * height + y] = in[y * width + x];
}

void reference_transpose_naive(void** v) { transpose_naive(v[0], v[1], *(int*)v[2], *(int*)v[3]); }
