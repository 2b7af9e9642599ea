// The transposed product of a biconjugate gradient step: a work-item walks one column of A.
__kernel void bicg(__global const float* a, __global const float* r, __global float* product, int rows, int columns) {
  int column = get_global_id(0);
  if (column >= columns)
    return;
  float sum = 0.0f;
  for (int i = 0; i < rows; ++i)
    sum += a[i * columns + column] * r[i];
  product[column] = sum;
}
