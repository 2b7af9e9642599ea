void spmv_csr_aligned(const int* row_begin, const int* column, const float* value, const float* x, float* y,
                      int rows) {
  for (int row = 0; row < rows; ++row) {
    float sum = 0.0f;
    for (int i = row_begin[row]; i < row_begin[row + 1]; ++i)
      sum += value[i] * x[column[i]];
    y[row] = sum;
  }
}

void reference_spmv_csr_aligned(void** v) {
  spmv_csr_aligned(v[0], v[1], v[2], v[3], v[4], *(int*)v[5]);
}
