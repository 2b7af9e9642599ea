// C = alpha A A^T + beta C: n x n out of n x m. A thread walks two rows of A, one of them at a stride from
// its neighbours.
__global__ void syrk(const float* a, float* c, float alpha, float beta, int n, int m) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  float sum = beta * c[row * n + column];
  for (int k = 0; k < m; ++k)
    sum += alpha * a[row * m + k] * a[column * m + k];
  c[row * n + column] = sum;
}
