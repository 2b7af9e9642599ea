void atax(const float* a, const float* x, float* product, int rows, int columns) {
  for (int row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (int j = 0; j < columns; ++j)
      sum += a[row * columns + j] * x[j];
    product[row] = sum;
  }
}

void reference_atax(void** v) {
  atax(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4]);
}
