void bicg(const float* a, const float* r, float* product, int rows, int columns) {
  for (int column = 0; column < columns; ++column) {
    float sum = 0.0f;
    for (int i = 0; i < rows; ++i)
      sum += a[i * columns + column] * r[i];
    product[column] = sum;
  }
}

void reference_bicg(void** v) {
  bicg(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4]);
}
