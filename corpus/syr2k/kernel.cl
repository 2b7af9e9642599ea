// C = alpha (A B^T + B A^T) + beta C: n x n out of two n x m.
__kernel void syr2k(__global const float* a, __global const float* b, __global float* c, float alpha, float beta, int n,
                    int m) {
  int column = get_global_id(0);
  int row = get_global_id(1);
  if (row >= n || column >= n)
    return;
  float sum = beta * c[row * n + column];
  for (int k = 0; k < m; ++k) {
    sum += alpha * a[row * m + k] * b[column * m + k];
    sum += alpha * b[row * m + k] * a[column * m + k];
  }
  c[row * n + column] = sum;
}
