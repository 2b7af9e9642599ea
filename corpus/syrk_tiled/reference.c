void syrk_tiled(const float* a, float* c, float alpha, float beta, int n, int m) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < m; ++k)
        sum += a[row * m + k] * a[column * m + k];
      c[row * n + column] = alpha * sum + beta * c[row * n + column];
    }
}

void reference_syrk_tiled(void** v) {
  syrk_tiled(v[0], v[1], *(float*)v[2], *(float*)v[3], *(int*)v[4], *(int*)v[5]);
}
