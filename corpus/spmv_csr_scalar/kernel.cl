// y = A x, compressed sparse rows, one row a work-item.
__kernel void spmv_csr_scalar(__global const int* row_begin, __global const int* column, __global const float* value,
                              __global const float* x, __global float* y, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int i = row_begin[row]; i < row_begin[row + 1]; ++i)
    sum += value[i] * x[column[i]];
  y[row] = sum;
}
