void syr2k_tiled(const float* a, const float* b, float* c, float alpha, float beta, int n, int m) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < m; ++k)
        sum += a[row * m + k] * b[column * m + k] + b[row * m + k] * a[column * m + k];
      c[row * n + column] = alpha * sum + beta * c[row * n + column];
    }
}

void reference_syr2k_tiled(void** v) {
  syr2k_tiled(v[0], v[1], v[2], *(float*)v[3], *(float*)v[4], *(int*)v[5], *(int*)v[6]);
}
