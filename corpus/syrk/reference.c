void syrk(const float* a, float* c, float alpha, float beta, int n, int m) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = beta * c[row * n + column];
      for (int k = 0; k < m; ++k)
        sum += alpha * a[row * m + k] * a[column * m + k];
      c[row * n + column] = sum;
    }
}

void reference_syrk(void** v) {
  syrk(v[0], v[1], *(float*)v[2], *(float*)v[3], *(int*)v[4], *(int*)v[5]);
}
