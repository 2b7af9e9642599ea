void covariance(const float* data, float* matrix, int columns, int points) {
  for (int first = 0; first < columns; ++first)
    for (int second = first; second < columns; ++second) {
      float sum = 0.0f;
      for (int i = 0; i < points; ++i)
        sum += data[i * columns + first] * data[i * columns + second];
      sum /= (float)(points - 1);
      matrix[first * columns + second] = sum;
      matrix[second * columns + first] = sum;
    }
}

void reference_covariance(void** v) {
  covariance(v[0], v[1], *(int*)v[2], *(int*)v[3]);
}
