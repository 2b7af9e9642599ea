void reference_gaussian_multipliers(void** v) {
  const float* matrix = v[0];
  float* multiplier = v[1];
  int size = *(int*)v[2], pivot = *(int*)v[3];
  for (int row = pivot + 1; row < size; ++row)
    multiplier[row * size + pivot] = matrix[row * size + pivot] / matrix[pivot * size + pivot];
}
