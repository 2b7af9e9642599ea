// C = alpha A A^T + beta C: n x n out of n x m. A work-item walks two rows of A, one of them at a stride from its
// neighbours.
__kernel void syrk(__global const float* a, __global float* c, float alpha, float beta, int n, int m) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (row >= n || column >= n)
    return;
  float sum = beta * c[row * n + column];
  for (int k = 0; k < m; ++k)
    sum += alpha * a[row * m + k] * a[column * m + k];
  c[row * n + column] = sum;
}
