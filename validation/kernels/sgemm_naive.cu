// C = alpha A B + beta C in row-major order, one element of C a thread. ROWS_ALONG_WARP 1: the lanes of a warp hold
// different rows, so that their accesses to A and C are a row apart; 0: neighbouring columns.
extern "C" __global__ void sgemm_naive(int n, float alpha, const float* a, const float* b, float beta, float* c) {
#if ROWS_ALONG_WARP
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
#else
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
#endif
  if (row >= n || column >= n)
    return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
