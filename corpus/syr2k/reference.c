void syr2k(const float* a, const float* b, float* c, float alpha, float beta, int n, int m) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = beta * c[row * n + column];
      for (int k = 0; k < m; ++k) {
        sum += alpha * a[row * m + k] * b[column * m + k];
        sum += alpha * b[row * m + k] * a[column * m + k];
      }
      c[row * n + column] = sum;
    }
}

void reference_syr2k(void** v) {
  syr2k(v[0], v[1], v[2], *(float*)v[3], *(float*)v[4], *(int*)v[5], *(int*)v[6]);
}
