void gemm_tiled(const float* a, const float* b, float* c, float alpha, float beta, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = alpha * sum + beta * c[row * n + column];
    }
}

void reference_gemm_tiled(void** v) {
  gemm_tiled(v[0], v[1], v[2], *(float*)v[3], *(float*)v[4], *(int*)v[5]);
}
