void mvt(const float* a, float* x1, float* x2, const float* y1, const float* y2, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      x1[i] += a[i * n + j] * y1[j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      x2[i] += a[j * n + i] * y2[j];
}

void reference_mvt(void** v) {
  mvt(v[0], v[1], v[2], v[3], v[4], *(int*)v[5]);
}
