void gramschmidt_update(float* a, float* r, const float* q, int rows, int columns, int k) {
  for (int j = k + 1; j < columns; ++j) {
    float along = 0.0f;
    for (int i = 0; i < rows; ++i)
      along += q[i * columns + k] * a[i * columns + j];
    for (int i = 0; i < rows; ++i)
      a[i * columns + j] -= q[i * columns + k] * along;
    r[k * columns + j] = along;
  }
}

void reference_gramschmidt_update(void** v) {
  gramschmidt_update(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4], *(int*)v[5]);
}
