// One product of a chain of matrices: c (rows x columns) = a (rows x inner) b (inner x columns).
__kernel void chain_product(__global const float* a, __global const float* b, __global float* c, int rows, int columns,
                            int inner) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (row >= rows || column >= columns)
    return;
  float sum = 0.0f;
  for (int k = 0; k < inner; ++k)
    sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}
