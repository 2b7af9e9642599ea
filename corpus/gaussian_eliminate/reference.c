void reference_gaussian_eliminate(void** v) {
  const float* multiplier = v[0];
  float *matrix = v[1], *right_side = v[2];
  int size = *(int*)v[3], pivot = *(int*)v[4];
  for (int row = pivot + 1; row < size; ++row) {
    float factor = multiplier[row * size + pivot];
    for (int column = pivot; column < size; ++column)
      matrix[row * size + column] -= factor * matrix[pivot * size + column];
    right_side[row] -= factor * right_side[pivot];
  }
}
