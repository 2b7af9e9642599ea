enum { BLOCK = 16 };

void reference_lud_diagonal(void** v) {
  float* matrix = v[0];
  int dimension = *(int*)v[1], offset = *(int*)v[2];
  float* block = matrix + offset * dimension + offset;
  for (int pivot = 0; pivot < BLOCK; ++pivot)
    for (int row = pivot + 1; row < BLOCK; ++row) {
      float factor = block[row * dimension + pivot] /= block[pivot * dimension + pivot];
      for (int column = pivot + 1; column < BLOCK; ++column)
        block[row * dimension + column] -= factor * block[pivot * dimension + column];
    }
}
