// x1 += A y1 and x2 += A^T y2 in one loop: one walk along a row and one along a column of A.
__global__ void mvt(const float* a, float* x1, float* x2, const float* y1, const float* y2, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float along = x1[i], across = x2[i];
  for (int j = 0; j < n; ++j) {
    along += a[i * n + j] * y1[j];
    across += a[j * n + i] * y2[j];
  }
  x1[i] = along;
  x2[i] = across;
}
