void gesummv(const float* a, const float* b, const float* x, float* y, float alpha, float beta, int n) {
  for (int row = 0; row < n; ++row) {
    float a_sum = 0.0f, b_sum = 0.0f;
    for (int j = 0; j < n; ++j) {
      a_sum += a[row * n + j] * x[j];
      b_sum += b[row * n + j] * x[j];
    }
    y[row] = alpha * a_sum + beta * b_sum;
  }
}

void reference_gesummv(void** v) {
  gesummv(v[0], v[1], v[2], v[3], *(float*)v[4], *(float*)v[5], *(int*)v[6]);
}
