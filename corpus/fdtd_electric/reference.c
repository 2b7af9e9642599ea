void fdtd_electric(float* ex, float* ey, const float* hz, float source, int height, int width) {
  for (int x = 0; x < width; ++x)
    ey[x] = source;
  for (int y = 1; y < height; ++y)
    for (int x = 0; x < width; ++x)
      ey[y * width + x] -= 0.5f * (hz[y * width + x] - hz[(y - 1) * width + x]);
  for (int y = 0; y < height; ++y)
    for (int x = 1; x < width; ++x)
      ex[y * (width + 1) + x] -= 0.5f * (hz[y * width + x] - hz[y * width + x - 1]);
}

void reference_fdtd_electric(void** v) {
  fdtd_electric(v[0], v[1], v[2], *(float*)v[3], *(int*)v[4], *(int*)v[5]);
}
