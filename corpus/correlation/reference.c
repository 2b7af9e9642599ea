void correlation(const float* data, float* matrix, int columns, int points) {
  for (int first = 0; first < columns; ++first) {
    matrix[first * columns + first] = 1.0f;
    for (int second = first + 1; second < columns; ++second) {
      float sum = 0.0f;
      for (int i = 0; i < points; ++i)
        sum += data[i * columns + first] * data[i * columns + second];
      matrix[first * columns + second] = sum;
      matrix[second * columns + first] = sum;
    }
  }
}

void reference_correlation(void** v) {
  correlation(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
