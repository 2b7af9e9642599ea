enum { BLOCK = 16 };

void lud_internal(float* matrix, int dimension, int offset) {
  for (int row = offset + BLOCK; row < dimension; ++row)
    for (int column = offset + BLOCK; column < dimension; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < BLOCK; ++k)
        sum += matrix[row * dimension + offset + k] * matrix[(offset + k) * dimension + column];
      matrix[row * dimension + column] -= sum;
    }
}

void reference_lud_internal(void** v) { lud_internal(v[0], *(int*)v[1], *(int*)v[2]); }
