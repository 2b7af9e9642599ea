void fdtd_magnetic(const float* ex, const float* ey, float* hz, int height, int width) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float curl =
          ex[y * (width + 1) + x + 1] - ex[y * (width + 1) + x] + ey[(y + 1) * width + x] - ey[y * width + x];
      hz[y * width + x] -= 0.7f * curl;
    }
}

void reference_fdtd_magnetic(void** v) {
  fdtd_magnetic(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4]);
}
