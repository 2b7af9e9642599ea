void chain_product_tiled(const float* a, const float* b, float* c, int rows, int columns, int inner) {
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < inner; ++k)
        sum += a[row * inner + k] * b[k * columns + column];
      c[row * columns + column] = sum;
    }
}

void reference_chain_product_tiled(void** v) {
  chain_product_tiled(v[0], v[1], v[2], *(int*)v[3], *(int*)v[4], *(int*)v[5]);
}
