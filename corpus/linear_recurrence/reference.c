void linear_recurrence(const float* b, float* x, float a, int rows, int length) {
  for (int row = 0; row < rows; ++row) {
    float last = 0.0f;
    for (int t = 0; t < length; ++t)
      x[row * length + t] = last = a * last + b[row * length + t];
  }
}

void reference_linear_recurrence(void** v) {
  linear_recurrence(v[0], v[1], *(float*)v[2], *(int*)v[3], *(int*)v[4]);
}
