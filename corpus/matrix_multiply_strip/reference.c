void matrix_multiply_strip(const float* a, const float* b, float* c, int n) {
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      c[row * n + column] = sum;
    }
}

void reference_matrix_multiply_strip(void** v) {
  matrix_multiply_strip(v[0], v[1], v[2], *(int*)v[3]);
}
