// C = alpha A B + beta C, n x n, one element a thread.
#ifndef BITS
#define BITS 32
#endif
#if BITS == 64
typedef double real;
#else
typedef float real;
#endif

__global__ void gemm(const real* a, const real* b, real* c, real alpha, real beta, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  real sum = beta * c[row * n + column];
  for (int k = 0; k < n; ++k)
    sum += alpha * a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
