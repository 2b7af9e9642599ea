// The first half of A^T (A x): a work-item walks one row of A, a row's length away from its neighbours.
__kernel void atax(__global const float* a, __global const float* x, __global float* product, int rows, int columns) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int j = 0; j < columns; ++j)
    sum += a[row * columns + j] * x[j];
  product[row] = sum;
}
