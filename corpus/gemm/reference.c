void gemm(const float* a, const float* b, float* c, float alpha, float beta, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = beta * c[row * n + column];
      for (int k = 0; k < n; ++k)
        sum += alpha * a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
}

void reference_gemm(void** v) {
  gemm(v[0], v[1], v[2], *(float*)v[3], *(float*)v[4], *(int*)v[5]);
}
